//! The files that the browser loads.

use serde::Deserialize;

/// Where the front end's files are, by the content-hashed names the build gave them; without names
/// where they have not been built.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct FrontEnd {
    pub js: String,
    pub wasm: String,
    pub css: String,
    /// What pages need beside it that are read.
    pub reading_css: String,
    /// The prediction of the what-if page, which loads it by itself.
    pub what_if_js: String,
    pub what_if_wasm: String,
    /// What measures a study on the page for that, which loads it by itself.
    pub study_js: String,
    pub study_wasm: String,
}

impl FrontEnd {
    /// Whether pages can come alive: styles may be there before the modules are.
    pub fn is_built(&self) -> bool {
        !self.js.is_empty()
    }

    /// The script that starts the front end: each island of the page is taken over where it stands.
    pub(crate) fn start(&self) -> String {
        let Self { js, wasm, .. } = self;
        format!(
            "import load, {{ start }} from '/pkg/{js}';\
             load({{ module_or_path: '/pkg/{wasm}' }}).then(() => {{ start(); \
             document.documentElement.dataset.ready = ''; }});"
        )
    }
}
