//! The prediction as a browser calls it: bytes and an address in, numbers out.

use wasm_bindgen::prelude::wasm_bindgen;
use whatif::{Scenario, Study, predict};

/// What the study that the server has sent would come to under the scenario that a query string
/// names, as [`whatif::Prediction::numbers`] has it; no numbers if the bytes are no study.
#[wasm_bindgen(js_name = predict)]
pub fn predict_numbers(study: &[u8], query: &str) -> Vec<f64> {
    let Some(study) = Study::read(study) else { return Vec::new() };
    predict(&study, &Scenario::of_query(query)).numbers()
}
