//! Two versions of an assignment that have come of the same one: where they differ, and what is made of
//! both. Position by position, so that two answers for one position are never mixed. Pure.

use std::collections::BTreeSet;

use domain::{Fact, LabelId, Range, base::collect_unsorted};

use super::change::{Change, Spans, all_spans};

/// A position on which something was changed, here or elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    pub range: Range,
    /// Its labels here, and as they were saved elsewhere.
    pub here: Vec<LabelId>,
    pub there: Vec<LabelId>,
    pub is_changed_here: bool,
    pub is_changed_there: bool,
}

/// Where the two versions and the one they have come of are not all the same, in order.
pub(crate) fn differences(base: &Spans, here: &Spans, there: &Spans) -> Vec<Difference> {
    let (mine, theirs) = (changed(base, here), changed(base, there));
    let both: BTreeSet<Range> = collect_unsorted(mine.iter().chain(&theirs).copied());
    let difference = |range| Difference {
        range,
        here: labels_on(here, range),
        there: labels_on(there, range),
        is_changed_here: mine.contains(&range),
        is_changed_there: theirs.contains(&range),
    };
    both.into_iter().map(difference).collect()
}

/// What was saved elsewhere, with the changes from here on top except on the positions in
/// `dropped`.
pub(crate) fn merged(base: &Spans, here: &Spans, there: &Spans, dropped: &[Range]) -> Spans {
    let mine = changed(base, here);
    let is_mine =
        |Fact { span, .. }: &&Fact| mine.contains(&span.range) && !dropped.contains(&span.range);
    let theirs = there.iter().filter(|span| !is_mine(span));
    collect_unsorted(theirs.chain(here.iter().filter(is_mine)).copied())
}

fn changed(from: &Spans, to: &Spans) -> BTreeSet<Range> {
    let Change { added, removed } = Change::between(from, to);
    collect_unsorted(added.iter().chain(&removed).map(|fact| fact.span.range))
}

fn labels_on(spans: &Spans, range: Range) -> Vec<LabelId> {
    all_spans(spans).filter(|span| span.range == range).map(|span| span.label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(spans: &[(u32, i64)]) -> Spans {
        let span = |(start, label): &(u32, i64)| {
            domain::Span::new(*start, start + 5, LabelId(*label)).into()
        };
        spans.iter().map(span).collect()
    }

    fn at(start: u32) -> Range {
        Range::new(start, start + 5)
    }

    #[test]
    fn what_each_has_changed_is_told_apart() {
        let base = spans(&[(0, 1), (10, 1), (20, 1)]);
        let here = spans(&[(0, 2), (10, 1), (30, 1)]);
        let there = spans(&[(0, 3), (20, 1), (40, 1)]);
        let found: Vec<_> = differences(&base, &here, &there)
            .into_iter()
            .map(|it| (it.range.start, it.is_changed_here, it.is_changed_there))
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
        assert_eq!((&first.here, &first.there), (&vec![LabelId(2)], &vec![LabelId(3)]));
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
    fn with_all_of_mine_dropped_the_saved_version_stays() {
        let (base, here, there) = (spans(&[(0, 1)]), spans(&[(5, 1)]), spans(&[(9, 1)]));
        let dropped: Vec<_> =
            differences(&base, &here, &there).into_iter().map(|it| it.range).collect();
        assert_eq!(merged(&base, &here, &there, &dropped), there);
    }
}
