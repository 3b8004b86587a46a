//! Elements of the page that are found by their ids.

use leptos::prelude::document;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

fn find(id: &str) -> Option<HtmlElement> {
    document().get_element_by_id(id)?.dyn_into().ok()
}

/// Presses a link or button.
pub(crate) fn press_by_id(id: &str) {
    if let Some(found) = find(id) {
        found.click();
    }
}

/// Leads the keyboard to a field.
pub(crate) fn focus_by_id(id: &str) {
    if let Some(found) = find(id) {
        // It cannot fail for an element in the page.
        drop(found.focus());
    }
}
