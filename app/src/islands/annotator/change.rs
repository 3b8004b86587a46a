//! A difference between two sets of spans: what edits, saves and the log are made of.

use std::collections::BTreeSet;

use domain::{LabelId, Range, Span};

/// The spans of one copy of a document.
pub(crate) type Spans = BTreeSet<Span>;

/// Spans to add and spans to remove.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Change {
    pub added: Vec<Span>,
    pub removed: Vec<Span>,
}

impl Change {
    /// What leads from one set to another.
    pub(crate) fn between(from: &Spans, to: &Spans) -> Self {
        Self {
            added: to.difference(from).copied().collect(),
            removed: from.difference(to).copied().collect(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty()
    }

    /// On how many positions something changes: a span that gets another label counts once.
    pub(crate) fn len(&self) -> usize {
        let ranges: BTreeSet<Range> =
            self.added.iter().chain(&self.removed).map(|span| span.range).collect();
        ranges.len()
    }

    /// What takes the change back.
    pub(crate) fn inverse(&self) -> Self {
        Self { added: self.removed.clone(), removed: self.added.clone() }
    }

    /// Carries the change out; the answer is the part of it that was not so already.
    pub(crate) fn apply(&self, spans: &mut Spans) -> Self {
        Self {
            removed: self.removed.iter().filter(|span| spans.remove(span)).copied().collect(),
            added: self.added.iter().filter(|span| spans.insert(**span)).copied().collect(),
        }
    }

    /// The part of the change that a text of `length` characters and these labels allow.
    pub(crate) fn allowed(mut self, length: u32, labels: &[LabelId]) -> Self {
        retain_allowed(&mut self.added, length, labels);
        self
    }

    /// The set with the change carried out.
    pub(crate) fn applied(&self, spans: &Spans) -> Spans {
        let mut spans = spans.clone();
        self.apply(&mut spans);
        spans
    }
}

/// Leaves of spans those that a text of `length` characters and these labels allow.
pub(crate) fn retain_allowed(spans: &mut Vec<Span>, length: u32, labels: &[LabelId]) {
    spans.retain(|span| span.range.checked(length).is_ok() && labels.contains(&span.label));
}

/// Two changes, one after the other, as one: of each span, what was done last.
pub(crate) fn composed(first: &Change, second: &Change) -> Change {
    let left = |spans: &[Span], undoing: &[Span]| -> Vec<Span> {
        spans.iter().filter(|span| !undoing.contains(span)).copied().collect()
    };
    let mut change = Change {
        added: left(&first.added, &second.removed),
        removed: left(&first.removed, &second.added),
    };
    change.added.extend(left(&second.added, &change.added));
    change.removed.extend(left(&second.removed, &change.removed));
    change
}

#[cfg(test)]
mod tests {

    use super::*;

    fn span(start: u32, label: i64) -> Span {
        Span::new(start, start + 5, LabelId(label))
    }

    #[test]
    fn a_difference_leads_from_one_set_to_the_other() {
        let from = Spans::from([span(0, 1), span(10, 1), span(20, 2)]);
        let to = Spans::from([span(0, 1), span(10, 2), span(30, 1)]);
        let change = Change::between(&from, &to);
        assert_eq!(change.applied(&from), to);
        assert_eq!(change.inverse().applied(&to), from);
        assert!(Change::between(&to, &to).is_empty());
    }

    #[test]
    fn a_new_label_on_a_position_is_one_change() {
        let change = Change { added: vec![span(0, 2), span(9, 1)], removed: vec![span(0, 1)] };
        assert_eq!(change.len(), 2);
    }

    #[test]
    fn changes_as_one_do_what_they_do_one_after_the_other() {
        let changes = [
            Change { added: vec![span(0, 1), span(9, 1)], removed: vec![span(5, 1)] },
            Change { added: vec![span(5, 1)], removed: vec![span(0, 1), span(7, 1)] },
        ];
        for spans in [Spans::new(), Spans::from([span(0, 1), span(5, 1), span(7, 1)])] {
            let one_by_one = changes[1].applied(&changes[0].applied(&spans));
            assert_eq!(composed(&changes[0], &changes[1]).applied(&spans), one_by_one);
        }
    }

    #[test]
    fn what_was_so_already_is_no_change() {
        let mut spans = Spans::from([span(0, 1)]);
        let done = Change { added: vec![span(0, 1)], removed: vec![span(5, 1)] }.apply(&mut spans);
        assert!(done.is_empty());
        assert_eq!(spans, Spans::from([span(0, 1)]));
    }
}
