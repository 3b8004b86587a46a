//! A difference between two versions of an assignment: what edits, saves and the log are made of.

use std::collections::BTreeSet;

use domain::{Fact, LabelId, Range, Span, base::collect_unsorted, change_facts};

/// The spans of one assignment, each with what was chosen on it.
pub(crate) type Spans = BTreeSet<Fact>;

/// The spans themselves, in order.
pub(crate) fn all_spans(spans: &Spans) -> impl DoubleEndedIterator<Item = Span> {
    spans.iter().filter(|fact| fact.choice.is_none()).map(|fact| fact.span)
}

/// What a person did, as one of its kind; of several spans only how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    Marked(Span),
    Deleted(Span),
    Relabelled(Span),
    Resized(Span),
    Answered(Span),
    Several(usize),
}

/// What to add and what to remove.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Change {
    pub added: Vec<Fact>,
    pub removed: Vec<Fact>,
}

impl Change {
    /// Spans to add and spans to remove.
    pub(crate) fn of(added: Vec<Span>, removed: Vec<Span>) -> Self {
        let facts = |spans: Vec<Span>| spans.into_iter().map(Fact::from).collect();
        Self { added: facts(added), removed: facts(removed) }
    }

    /// What leads from one version to another.
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
            collect_unsorted(self.added.iter().chain(&self.removed).map(|fact| fact.span.range));
        ranges.len()
    }

    /// What it did.
    pub(crate) fn deed(&self) -> Deed {
        let spans = |facts: &[Fact]| -> Vec<Span> {
            facts.iter().filter(|fact| fact.choice.is_none()).map(|fact| fact.span).collect()
        };
        let answered = self.added.iter().chain(&self.removed).map(|fact| fact.span).next();
        match (spans(&self.added).as_slice(), spans(&self.removed).as_slice(), answered) {
            ([span], [], _) => Deed::Marked(*span),
            ([], [span], _) => Deed::Deleted(*span),
            ([span], [old], _) if span.range == old.range => Deed::Relabelled(*span),
            ([span], [old], _) if span.label == old.label => Deed::Resized(*span),
            ([], [], Some(span)) => Deed::Answered(span),
            _ => Deed::Several(self.len()),
        }
    }

    /// What takes the change back.
    pub(crate) fn inverse(&self) -> Self {
        Self { added: self.removed.clone(), removed: self.added.clone() }
    }

    /// Carries the change out, as the server does; the answer is what is different now.
    pub(crate) fn apply(&self, spans: &mut Spans) -> Self {
        let (removed, added) = change_facts(spans, &self.removed, &self.added);
        Self { added, removed }
    }

    /// The part of the change that a text of `length` characters and these labels allow.
    pub(crate) fn allowed(mut self, length: u32, labels: &[LabelId]) -> Self {
        retain_allowed(&mut self.added, length, labels);
        self
    }

    /// The version with the change carried out.
    pub(crate) fn applied(&self, spans: &Spans) -> Spans {
        let mut spans = spans.clone();
        self.apply(&mut spans);
        spans
    }
}

/// Leaves what a text of `length` characters and these labels allow, and what is chosen on the document.
/// (Attributes are never deleted while their label is there.)
pub(crate) fn retain_allowed(facts: &mut Vec<Fact>, length: u32, labels: &[LabelId]) {
    let is_known = |span: Span| span == Span::DOCUMENT || labels.contains(&span.label);
    facts.retain(|fact| fact.checked(length).is_ok() && is_known(fact.span));
}

/// Two changes, one after the other, as one: of each fact, what was done last.
pub(crate) fn composed(first: &Change, second: &Change) -> Change {
    let left = |facts: &[Fact], undoing: &[Fact]| -> Vec<Fact> {
        facts.iter().filter(|fact| !undoing.contains(fact)).copied().collect()
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

    fn span(start: u32, label: i64) -> Fact {
        Span::new(start, start + 5, LabelId(label)).into()
    }

    #[test]
    fn what_is_kept_is_what_the_text_and_the_labels_allow_and_answers_about_the_document() {
        let answer = Fact::chosen(Span::DOCUMENT, domain::AttributeId(3), 1);
        let change =
            Change { added: vec![span(0, 1), span(0, 2), span(90, 1), answer], removed: vec![] };
        let allowed = change.allowed(10, &[LabelId(1)]);
        assert_eq!(allowed.added, [span(0, 1), answer]);
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
    fn a_change_is_called_what_the_person_did() {
        let deed = |added: &[Fact], removed: &[Fact]| {
            Change { added: added.to_vec(), removed: removed.to_vec() }.deed()
        };
        let (one, other) = (span(0, 1), span(0, 2));
        let moved = Fact::from(Span::new(0, 9, LabelId(1)));
        let answer = Fact::chosen(one.span, domain::AttributeId(7), 0);
        assert_eq!(deed(&[one], &[]), Deed::Marked(one.span));
        assert_eq!(deed(&[], &[one, answer]), Deed::Deleted(one.span));
        assert_eq!(deed(&[other], &[one]), Deed::Relabelled(other.span));
        assert_eq!(deed(&[moved], &[one]), Deed::Resized(moved.span));
        assert_eq!(deed(&[answer], &[]), Deed::Answered(one.span));
        assert_eq!(deed(&[one, span(9, 1)], &[]), Deed::Several(2));
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
