//! What the browser keeps of how somebody looks at a page. A browser that keeps nothing loses no
//! more than that.

use leptos::prelude::window;
use serde::{Serialize, de::DeserializeOwned};

/// What was kept under a name; none if nothing was, or nothing that can be read any more.
pub(crate) fn load<T: DeserializeOwned>(name: &str) -> Option<T> {
    let text = window().local_storage().ok()??.get_item(name).ok()??;
    serde_json::from_slice(text.as_bytes()).ok()
}

/// Keeps a value under a name.
pub(crate) fn keep<T: Serialize>(name: &str, value: &T) {
    let Some(storage) = window().local_storage().ok().flatten() else { return };
    if let Ok(text) = serde_json::to_string(value) {
        // A storage that is full or switched off keeps what it had.
        drop(storage.set_item(name, &text));
    }
}
