//! The spans as they are on screen, with undo and redo.

use super::change::{Change, Spans};

/// The present spans and how they came to be.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    spans: Spans,
    undone: Vec<Change>,
    done: Vec<Change>,
}

impl History {
    pub(crate) fn new(spans: Spans) -> Self {
        Self { spans, undone: Vec::new(), done: Vec::new() }
    }

    pub(crate) const fn spans(&self) -> &Spans {
        &self.spans
    }

    /// Carries a change out; whether anything is different now.
    pub(crate) fn apply(&mut self, change: &Change) -> bool {
        let done = change.apply(&mut self.spans);
        if done.is_empty() {
            return false;
        }
        self.done.push(done);
        self.undone.clear();
        true
    }

    /// Takes the last change back; the answer is what happened to the spans.
    pub(crate) fn undo(&mut self) -> Option<Change> {
        let change = self.done.pop()?;
        let back = change.inverse().apply(&mut self.spans);
        self.undone.push(change);
        Some(back)
    }

    /// Carries out again what was taken back last; the answer is what happened to the spans.
    pub(crate) fn redo(&mut self) -> Option<Change> {
        let change = self.undone.pop()?;
        let again = change.apply(&mut self.spans);
        self.done.push(change);
        Some(again)
    }

    pub(crate) fn can_undo(&self) -> bool {
        !self.done.is_empty()
    }

    pub(crate) fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use domain::{LabelId, Span};

    use super::*;

    fn span(start: u32, label: i64) -> Span {
        Span::new(start, start + 5, LabelId(label))
    }

    fn adding(span: Span) -> Change {
        Change { added: vec![span], removed: Vec::new() }
    }

    #[test]
    fn undo_and_redo_lead_back_and_forth() {
        let mut history = History::new(Spans::from([span(0, 1)]));
        history.apply(&adding(span(10, 1)));
        history.apply(&Change { added: vec![span(0, 2)], removed: vec![span(0, 1)] });
        let after = history.spans().clone();

        assert!(history.undo().is_some_and(|back| back.added == [span(0, 1)]));
        assert!(history.undo().is_some());
        assert_eq!(history.spans(), &Spans::from([span(0, 1)]));
        assert_eq!(history.undo(), None);

        assert!(history.redo().is_some() && history.redo().is_some());
        assert_eq!(history.spans(), &after);
        assert_eq!(history.redo(), None);
    }

    #[test]
    fn the_same_label_on_the_same_position_is_no_step() {
        let mut history = History::new(Spans::from([span(0, 1)]));
        assert!(!history.apply(&adding(span(0, 1))));
        assert!(!history.can_undo());
    }

    #[test]
    fn a_new_change_ends_what_could_be_done_again() {
        let mut history = History::default();
        history.apply(&adding(span(0, 1)));
        history.undo();
        assert!(history.can_redo());
        history.apply(&adding(span(9, 1)));
        assert!(!history.can_redo());
    }
}
