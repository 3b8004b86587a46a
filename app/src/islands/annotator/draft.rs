//! Changes that are not saved yet, kept in the browser: offsets and label ids, never text. They
//! are written before they are sent and removed when they are known to be saved.

use domain::{AssignmentId, LabelId, Revision};
use leptos::prelude::window;
use serde::{Deserialize, Serialize};
use web_sys::Storage;

use super::change::{Change, Spans};

/// Unsaved changes and the revision they were made on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Draft {
    pub base: Revision,
    #[serde(flatten)]
    pub change: Change,
}

impl Draft {
    /// The changes that still make a difference to `spans`, in a text of `length` characters with
    /// these labels: some may have arrived after all, and labels may have gone.
    pub(crate) fn left_over(self, spans: &Spans, length: u32, labels: &[LabelId]) -> Change {
        let Change { mut added, removed } = self.change;
        added.retain(|span| span.range.checked(length).is_ok() && labels.contains(&span.label));
        Change::between(spans, &Change { added, removed }.applied(spans))
    }
}

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

fn name(assignment: AssignmentId) -> String {
    format!("concord.draft.{assignment}")
}

/// The draft of an assignment, if there is one that can be read.
pub(crate) fn load(assignment: AssignmentId) -> Option<Draft> {
    let text = storage()?.get_item(&name(assignment)).ok()??;
    serde_json::from_slice(text.as_bytes()).ok()
}

/// Keeps a draft; the answer is what to remove later. Without storage, or with a full one, the
/// changes live as long as the page.
pub(crate) fn keep(assignment: AssignmentId, draft: &Draft) -> Option<String> {
    let text = serde_json::to_string(draft).ok()?;
    storage()?.set_item(&name(assignment), &text).ok()?;
    Some(text)
}

/// Removes the draft that was kept as `kept`; one that another tab has kept since then stays.
pub(crate) fn remove(assignment: AssignmentId, kept: &str) {
    let Some(storage) = storage() else { return };
    let name = name(assignment);
    if storage.get_item(&name).ok().flatten().as_deref() == Some(kept) {
        // It fails only where storage is switched off.
        drop(storage.remove_item(&name));
    }
}

/// Removes the draft of an assignment, whoever kept it.
pub(crate) fn forget(assignment: AssignmentId) {
    if let Some(storage) = storage() {
        drop(storage.remove_item(&name(assignment)));
    }
}

#[cfg(test)]
mod tests {
    use domain::Span;

    use super::*;

    fn span(start: u32, label: i64) -> Span {
        Span::new(start, start + 5, LabelId(label))
    }

    #[test]
    fn a_draft_holds_offsets_labels_and_revision_only() {
        let change = Change { added: vec![span(0, 1)], removed: vec![span(9, 2)] };
        let draft = Draft { base: Revision(4), change };
        let text = serde_json::to_string(&draft).unwrap();
        assert_eq!(
            text,
            r#"{"base":4,"added":[{"start":0,"end":5,"label":1}],"removed":[{"start":9,"end":14,"label":2}]}"#
        );
        assert_eq!(serde_json::from_str::<Draft>(&text).unwrap(), draft);
    }

    #[test]
    fn of_a_draft_only_what_still_makes_a_difference_is_left_over() {
        let change = Change {
            added: vec![span(0, 1), span(10, 1), span(98, 1), span(20, 9)],
            removed: vec![span(30, 1), span(40, 1)],
        };
        let spans = Spans::from([span(0, 1), span(30, 1)]);
        let left = Draft { base: Revision(4), change }.left_over(&spans, 100, &[LabelId(1)]);
        assert_eq!(left, Change { added: vec![span(10, 1)], removed: vec![span(30, 1)] });
    }
}
