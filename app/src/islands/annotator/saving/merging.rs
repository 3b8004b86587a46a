//! Two versions of an assignment that have come of the same one: where they differ, and what is made of
//! both. Position by position, so that two answers for one position are never mixed; of the document, question
//! by question. Pure.

use std::collections::BTreeSet;

use domain::{AttributeId, Fact, Range, Span, base::collect_unsorted};

use super::change::{Change, Spans};

/// What is decided as one: a position, or a question about the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Subject {
    pub range: Range,
    pub question: Option<AttributeId>,
}

impl Subject {
    fn of(fact: &Fact) -> Self {
        let asked = fact.choice.filter(|_| fact.span == Span::DOCUMENT);
        Self { range: fact.span.range, question: asked.map(|choice| choice.attribute) }
    }
}

/// A subject on which something was changed, here or elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    pub subject: Subject,
    /// What is so of it here, and as it was saved elsewhere.
    pub here: Vec<Fact>,
    pub there: Vec<Fact>,
    pub is_changed_here: bool,
    pub is_changed_there: bool,
}

/// Where the two versions and the one they have come of are not all the same, in order.
pub(crate) fn differences(base: &Spans, here: &Spans, there: &Spans) -> Vec<Difference> {
    let (mine, theirs) = (changed(base, here), changed(base, there));
    let both: BTreeSet<Subject> = collect_unsorted(mine.iter().chain(&theirs).copied());
    let difference = |subject| Difference {
        subject,
        here: said_at(here, subject),
        there: said_at(there, subject),
        is_changed_here: mine.contains(&subject),
        is_changed_there: theirs.contains(&subject),
    };
    both.into_iter().map(difference).collect()
}

/// What was saved elsewhere, with the changes from here on top except on the places in `dropped`.
pub(crate) fn merged(base: &Spans, here: &Spans, there: &Spans, dropped: &[Subject]) -> Spans {
    let mine = changed(base, here);
    let is_mine = |fact: &&Fact| {
        let subject = Subject::of(fact);
        mine.contains(&subject) && !dropped.contains(&subject)
    };
    let theirs = there.iter().filter(|span| !is_mine(span));
    collect_unsorted(theirs.chain(here.iter().filter(is_mine)).copied())
}

fn changed(from: &Spans, to: &Spans) -> BTreeSet<Subject> {
    let Change { added, removed } = Change::between(from, to);
    collect_unsorted(added.iter().chain(&removed).map(Subject::of))
}

fn said_at(spans: &Spans, subject: Subject) -> Vec<Fact> {
    spans.iter().filter(|fact| Subject::of(fact) == subject).copied().collect()
}

#[cfg(test)]
mod tests {
    use domain::LabelId;

    use super::*;

    fn spans(spans: &[(u32, i64)]) -> Spans {
        let span =
            |(start, label): &(u32, i64)| Span::new(*start, start + 5, LabelId(*label)).into();
        spans.iter().map(span).collect()
    }

    fn at(start: u32) -> Subject {
        Subject { range: Range::new(start, start + 5), question: None }
    }

    #[test]
    fn what_each_has_changed_is_told_apart() {
        let base = spans(&[(0, 1), (10, 1), (20, 1)]);
        let here = spans(&[(0, 2), (10, 1), (30, 1)]);
        let there = spans(&[(0, 3), (20, 1), (40, 1)]);
        let found: Vec<_> = differences(&base, &here, &there)
            .into_iter()
            .map(|it| (it.subject.range.start, it.is_changed_here, it.is_changed_there))
            .collect();
        assert_eq!(
            found,
            [
                (0, true, true),
                (10, false, true),
                (20, true, false),
                (30, true, false),
                (40, false, true)
            ]
        );
        let first = &differences(&base, &here, &there)[0];
        let said = |label| spans(&[(0, label)]).into_iter().collect::<Vec<_>>();
        assert_eq!((&first.here, &first.there), (&said(2), &said(3)));
    }

    #[test]
    fn changes_of_both_are_kept_and_mine_wins_where_both_changed_one_position() {
        let base = spans(&[(0, 1), (10, 1), (20, 1)]);
        let here = spans(&[(0, 2), (10, 1), (30, 1)]);
        let there = spans(&[(0, 3), (20, 1), (40, 1)]);
        assert_eq!(merged(&base, &here, &there, &[]), spans(&[(0, 2), (30, 1), (40, 1)]));
        assert_eq!(
            merged(&base, &here, &there, &[at(0), at(20)]),
            spans(&[(0, 3), (20, 1), (30, 1), (40, 1)])
        );
    }

    #[test]
    fn questions_about_the_document_are_told_apart_and_decided_one_by_one() {
        let answer =
            |question, number: u16| Fact::chosen(Span::DOCUMENT, AttributeId(question), number);
        let base: Spans = [answer(1, 0)].into();
        let (here, there): (Spans, Spans) =
            ([answer(1, 1), answer(2, 0)].into(), [answer(1, 2)].into());
        let found = differences(&base, &here, &there);
        let said: Vec<_> = found.iter().map(|it| (it.here.clone(), it.there.clone())).collect();
        let first = (vec![answer(1, 1)], vec![answer(1, 2)]);
        assert_eq!(said, [first, (vec![answer(2, 0)], Vec::new())]);
        let dropped = [found[0].subject];
        assert_eq!(merged(&base, &here, &there, &dropped), [answer(1, 2), answer(2, 0)].into());
        assert_eq!(merged(&base, &here, &there, &[]), here);
    }

    #[test]
    fn with_all_of_mine_dropped_the_saved_version_stays() {
        let (base, here, there) = (spans(&[(0, 1)]), spans(&[(5, 1)]), spans(&[(9, 1)]));
        let dropped: Vec<_> =
            differences(&base, &here, &there).into_iter().map(|it| it.subject).collect();
        assert_eq!(merged(&base, &here, &there, &dropped), there);
    }
}
