//! Decisions that are not stored yet, kept in the browser: offsets and label ids, never text. They
//! are written before they are sent and removed when they are known to be stored.

use domain::{DecisionChange, DocumentId};
use leptos::prelude::window;
use web_sys::Storage;

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

fn name(document: DocumentId) -> String {
    format!("concord.review.{document}")
}

/// The decisions kept for a document, if there are any that can be read.
pub(crate) fn load(document: DocumentId) -> Option<Vec<DecisionChange>> {
    let text = storage()?.get_item(&name(document)).ok()??;
    serde_json::from_slice(text.as_bytes()).ok()
}

/// Keeps decisions; the answer is what to remove later. Without storage, or with a full one, they
/// live as long as the page.
pub(crate) fn keep(document: DocumentId, changes: &[DecisionChange]) -> Option<String> {
    let text = serde_json::to_string(changes).ok()?;
    storage()?.set_item(&name(document), &text).ok()?;
    Some(text)
}

/// Removes what was kept as `kept`; what another tab has kept since then stays.
pub(crate) fn remove(document: DocumentId, kept: &str) {
    let is_same = |storage: &Storage| {
        storage.get_item(&name(document)).ok().flatten().as_deref() == Some(kept)
    };
    if storage().as_ref().is_some_and(is_same) {
        forget(document);
    }
}

/// Removes what is kept for a document, whoever kept it.
pub(crate) fn forget(document: DocumentId) {
    if let Some(storage) = storage() {
        // It fails only where storage is switched off.
        drop(storage.remove_item(&name(document)));
    }
}
