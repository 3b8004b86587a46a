//! The browser's own database and its locks, through a few lines of JavaScript.

use wasm_bindgen::prelude::*;

use super::{Record, Writes};

#[wasm_bindgen(module = "/src/islands/annotator/saving/log/database.js")]
extern "C" {
    #[wasm_bindgen(js_name = write, catch)]
    async fn write_records(
        gone: Vec<String>,
        keys: Vec<String>,
        values: Vec<String>,
    ) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_name = read, catch)]
    async fn read_records(prefix: &str) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_name = hold)]
    async fn hold_name(name: &str, waits: bool) -> JsValue;
}

/// Whether this page holds the name from now on, as long as it is there: no other page does. With
/// `waits`, once that is so.
pub(crate) async fn hold(name: &str, waits: bool) -> bool {
    hold_name(name, waits).await.is_truthy()
}

/// Carries all of it out, or nothing; whether it is on disk now.
pub(crate) async fn write(writes: Writes) -> bool {
    let Writes { gone, put } = writes;
    let (keys, values) = put.into_iter().unzip();
    write_records(gone, keys, values).await.is_ok()
}

/// What is kept under keys that begin so, in the order of the keys; none if nothing can be kept.
pub(crate) async fn read(prefix: &str) -> Option<Vec<Record>> {
    let found = js_sys::Array::from(&read_records(prefix).await.ok()?);
    let text = |place| found.get(place).as_string();
    (0..found.length()).step_by(2).map(|place| text(place).zip(text(place + 1))).collect()
}
