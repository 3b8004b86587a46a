//! Decisions that are not stored yet, kept in the browser: offsets, label ids and reasons, never
//! text. They are written before they are sent and removed when they are known to be stored.

use domain::{DecisionChange, DocumentId, UserId};
use leptos::prelude::window;
use web_sys::Storage;

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

/// Where one person's decisions on a document are kept: whoever signs in next does not find them.
#[derive(Clone, Copy)]
pub(crate) struct Draft {
    pub(crate) person: UserId,
    pub(crate) document: DocumentId,
}

impl Draft {
    fn name(self) -> String {
        format!("concord.review.{}.{}", self.person, self.document)
    }

    /// The decisions that are kept, if there are any that can be read.
    pub(crate) fn load(self) -> Option<Vec<DecisionChange>> {
        let text = storage()?.get_item(&self.name()).ok()??;
        serde_json::from_slice(text.as_bytes()).ok()
    }

    /// Keeps decisions; the answer is what to remove later. Without storage, or with a full one,
    /// they live as long as the page.
    pub(crate) fn keep(self, changes: &[DecisionChange]) -> Option<String> {
        let text = serde_json::to_string(changes).ok()?;
        storage()?.set_item(&self.name(), &text).ok()?;
        Some(text)
    }

    /// Removes what was kept as `kept`; what another tab has kept since then stays.
    pub(crate) fn remove(self, kept: &str) {
        let is_same = |storage: &Storage| {
            storage.get_item(&self.name()).ok().flatten().as_deref() == Some(kept)
        };
        if storage().as_ref().is_some_and(is_same) {
            self.forget();
        }
    }

    /// Removes what is kept, whichever tab kept it.
    pub(crate) fn forget(self) {
        if let Some(storage) = storage() {
            // It fails only where storage is switched off.
            drop(storage.remove_item(&self.name()));
        }
    }
}
