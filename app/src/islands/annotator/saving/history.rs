//! The spans as they are on screen, with undo and redo.

use domain::LabelId;

use crate::islands::editor::undo;

use super::change::{Change, Spans, retain_allowed};

/// How many steps back survive a reload, and of how many spans they may consist.
const MOST_STEPS: usize = 200;
const MOST_SPANS: usize = 5_000;

/// What can be undone and what can be done again.
pub(crate) type Steps = undo::Steps<Change>;

impl Steps {
    /// The steps that a text of `length` characters and these labels still allow, in either
    /// direction: nothing of a label that is gone may come back.
    pub(crate) fn allowed(mut self, length: u32, labels: &[LabelId]) -> Self {
        for changes in [&mut self.done, &mut self.undone] {
            for change in changes.iter_mut() {
                retain_allowed(&mut change.added, length, labels);
                retain_allowed(&mut change.removed, length, labels);
            }
            changes.retain(|change| !change.is_empty());
        }
        self
    }
}

/// The last of these changes, as many as are kept.
fn last_of(changes: &[Change]) -> Vec<Change> {
    let (mut first, mut spans) = (changes.len(), 0);
    for change in changes.iter().rev().take(MOST_STEPS) {
        spans += change.added.len() + change.removed.len();
        if spans > MOST_SPANS {
            break;
        }
        first -= 1;
    }
    changes.get(first..).unwrap_or_default().to_vec()
}

/// The present spans and how they came to be.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    spans: Spans,
    steps: Steps,
}

impl History {
    pub(crate) fn new(spans: Spans) -> Self {
        Self { spans, steps: Steps::default() }
    }

    /// The steps to keep for after a reload.
    pub(crate) fn steps(&self) -> Steps {
        Steps { done: last_of(&self.steps.done), undone: last_of(&self.steps.undone) }
    }

    /// Gives back the steps of an earlier page, before those that were taken here.
    pub(crate) fn give_back(&mut self, steps: Steps) {
        let Steps { mut done, undone } = steps;
        if !self.can_undo() && !self.can_redo() {
            self.steps.undone = undone;
        }
        done.append(&mut self.steps.done);
        self.steps.done = done;
    }

    /// Takes in what was changed elsewhere or before, which is no step here.
    pub(crate) fn take_in(&mut self, spans: Spans) {
        self.spans = spans;
    }

    pub(crate) const fn spans(&self) -> &Spans {
        &self.spans
    }

    /// Carries a change out; the answer is what is different now, if anything is.
    pub(crate) fn apply(&mut self, change: &Change) -> Option<Change> {
        let done = change.apply(&mut self.spans);
        if done.is_empty() {
            return None;
        }
        self.steps.push(done.clone());
        Some(done)
    }

    /// Takes the last change back; the answer is what happened to the spans.
    pub(crate) fn undo(&mut self) -> Option<Change> {
        let change = self.steps.done.pop()?;
        let back = change.inverse().apply(&mut self.spans);
        self.steps.undone.push(change);
        Some(back)
    }

    /// Carries out again what was taken back last; the answer is what happened to the spans.
    pub(crate) fn redo(&mut self) -> Option<Change> {
        let change = self.steps.undone.pop()?;
        let again = change.apply(&mut self.spans);
        self.steps.done.push(change);
        Some(again)
    }

    pub(crate) const fn can_undo(&self) -> bool {
        self.steps.can_undo()
    }

    pub(crate) const fn can_redo(&self) -> bool {
        self.steps.can_redo()
    }
}

#[cfg(test)]
mod tests {
    use domain::Span;

    use super::*;

    fn span(start: u32, label: i64) -> domain::Fact {
        Span::new(start, start + 5, LabelId(label)).into()
    }

    fn adding(span: domain::Fact) -> Change {
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
        assert_eq!(history.apply(&adding(span(0, 1))), None);
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

    #[test]
    fn steps_survive_a_reload_and_lead_back_and_forth() {
        let mut before = History::new(Spans::from([span(0, 1)]));
        before.apply(&adding(span(10, 1)));
        before.apply(&adding(span(20, 1)));
        before.undo();

        let mut after = History::new(before.spans().clone());
        after.give_back(before.steps());
        assert_eq!(after.steps(), before.steps());
        after.redo();
        assert_eq!(after.spans().len(), 3);
        assert!(after.undo().is_some() && after.undo().is_some());
        assert_eq!(after.spans(), &Spans::from([span(0, 1)]));
        assert_eq!(after.undo(), None);
    }

    #[test]
    fn an_edit_made_before_the_steps_were_read_comes_after_them() {
        let mut before = History::default();
        before.apply(&adding(span(0, 1)));
        before.apply(&adding(span(10, 1)));
        before.undo();

        let mut after = History::new(before.spans().clone());
        after.apply(&adding(span(20, 1)));
        after.give_back(before.steps());
        assert!(!after.can_redo());
        assert_eq!(after.undo().map(|change| change.removed), Some(vec![span(20, 1)]));
        assert_eq!(after.undo().map(|change| change.removed), Some(vec![span(0, 1)]));
    }

    #[test]
    fn a_step_never_brings_back_a_label_that_is_gone() {
        let mut history = History::default();
        history.apply(&Change { added: vec![span(0, 1), span(0, 9)], removed: vec![] });
        history.apply(&Change { added: vec![], removed: vec![span(0, 9)] });
        let steps = history.steps().allowed(100, &[LabelId(1)]);
        assert_eq!(steps.done, [adding(span(0, 1))]);
    }

    #[test]
    fn only_so_many_steps_are_kept() {
        let mut history = History::default();
        for start in 0..300 {
            history.apply(&adding(span(start, 1)));
        }
        assert_eq!(history.steps().done.len(), MOST_STEPS);
        assert_eq!(history.steps().done.last(), Some(&adding(span(299, 1))));
        let many = (0..6_000).map(|start| span(start, 2)).collect();
        history.apply(&Change { added: many, removed: vec![] });
        assert!(history.steps().done.is_empty());
    }
}
