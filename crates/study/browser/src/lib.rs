//! `concord measure` as a browser calls it: a file and fields in, the report in all its forms out.

use js_sys::Function;
use study::command::{Options, Output, Progress, run};
use study::report::{Report, Style};
use study::{Error, Misuse, fields};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// A report in all its forms, each as `concord measure` writes it.
#[wasm_bindgen]
pub struct Measured {
    report: Report,
    json: String,
}

#[wasm_bindgen]
impl Measured {
    /// What `concord measure --json` prints.
    #[wasm_bindgen(getter)]
    pub fn json(&self) -> String {
        self.json.clone()
    }

    /// What `concord measure` prints.
    #[wasm_bindgen(getter)]
    pub fn text(&self) -> String {
        written(|out| self.report.print(out, Style::default()))
    }

    /// What `concord measure --html` prints.
    #[wasm_bindgen(getter)]
    pub fn html(&self) -> String {
        written(|out| self.report.write_html(out))
    }

    /// The report's parts, to be put into a page.
    #[wasm_bindgen(getter)]
    pub fn parts(&self) -> String {
        written(|out| self.report.write_parts(out))
    }
}

/// Measures a study. `fields` are names and texts in turns, as [`study::fields`] has them;
/// `progress` hears the kind of progress, how much is done, and of how much.
///
/// # Errors
///
/// In a sentence: options that do not fit, or what is wrong with the file at which line and column.
#[wasm_bindgen]
pub fn measure(file: &[u8], fields: Vec<String>, progress: &Function) -> Result<Measured, String> {
    let mut options = options_of(&fields).map_err(|misuse| misuse.to_string())?;
    options.output = Output::Json;
    let mut json = Vec::new();
    let total = u64::try_from(file.len()).unwrap_or(u64::MAX);
    let outcome = run(&options, file, &mut json, |step| tell(progress, step, total));
    let report = outcome.map_err(|error: Error| error.to_string())?.report;
    Ok(Measured { report, json: String::from_utf8_lossy(&json).into_owned() })
}

/// The ways to read a table that [`measure`] refuses because there are several, as JSON: a list of
/// objects with `reading`, `options` (pairs of name and value) and `preview`. Nothing of other tables.
#[wasm_bindgen]
pub fn choices(file: &[u8], fields: Vec<String>) -> Option<String> {
    study::command::choices(&options_of(&fields).ok()?, file)
}

fn options_of(fields: &[String]) -> Result<Options, Misuse> {
    let named = fields.chunks_exact(2).filter_map(|field| match field {
        [name, text] => Some((name, text)),
        _ => None,
    });
    fields::options(named)
}

/// So many times progress is told at most while resampling.
const TOLD: u64 = 100;

fn tell(progress: &Function, step: Progress, total: u64) {
    let (kind, done, of) = match step {
        Progress::Read(bytes) => ("read", bytes, total),
        Progress::Measured { done, of } if done % (of / TOLD).max(1) == 0 => ("measured", done, of),
        Progress::Measured { .. } => return,
    };
    // If nobody hears it, it is measured all the same.
    drop(progress.call3(&JsValue::NULL, &kind.into(), &js_number(done), &js_number(of)));
}

/// A number as JavaScript has it.
fn js_number(count: u64) -> JsValue {
    u32::try_from(count).map_or(f64::INFINITY, f64::from).into()
}

/// What is written into memory, which cannot fail.
fn written(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    drop(write(&mut out));
    String::from_utf8_lossy(&out).into_owned()
}
