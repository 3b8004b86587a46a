//! The clipboard of the browser.

use leptos::prelude::window;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

/// Fails where the browser does not let the page do it.
pub(crate) async fn write_to_clipboard(text: &str) -> Result<(), JsValue> {
    let navigator = window().navigator();
    // On a plain http address other than the loopback there is no clipboard at all.
    if js_sys::Reflect::get(&navigator, &"clipboard".into())?.is_undefined() {
        return Err(JsValue::UNDEFINED);
    }
    JsFuture::from(navigator.clipboard().write_text(text)).await.map(drop)
}
