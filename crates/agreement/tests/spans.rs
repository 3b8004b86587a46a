//! From two raters' spans to scores and tallies.

use std::collections::BTreeSet;

use agreement::{
    Contingency, Coverage, Policy, Span, SpanCounts, SpanMatch, Undefined, judgements,
    overlap_tally, position_tally, span_counts, token_tally,
};

fn span((start, end, label): (u64, u64, &'static str)) -> Span<&'static str> {
    Span { start, end, label }
}

fn spans<const N: usize>(spans: [(u64, u64, &'static str); N]) -> [Span<&'static str>; N] {
    spans.map(span)
}

fn set<const N: usize>(labels: [&'static str; N]) -> BTreeSet<&'static str> {
    labels.into_iter().collect()
}

#[test]
fn exact_match_is_of_start_end_and_label() {
    let gold = spans([(0, 5, "PER"), (10, 15, "ORG"), (20, 24, "LOC"), (30, 31, "PER")]);
    let found =
        spans([(0, 5, "PER"), (10, 15, "LOC"), (20, 24, "LOC"), (33, 40, "ORG"), (50, 52, "PER")]);
    let counts = span_counts(&gold, &found, SpanMatch::Exact);
    assert_eq!(counts, SpanCounts { matched: 2, gold: 4, found: 5 });
    assert_eq!((counts.precision(), counts.recall()), (Ok(0.4), Ok(0.5)));
    assert_eq!(counts.f1(), Ok(4.0 / 9.0));
}

#[test]
fn scores_of_nothing_are_undefined() {
    let some = spans([(0, 5, "PER")]);
    let missed = span_counts(&some, &[], SpanMatch::Overlap);
    assert_eq!(missed.precision(), Err(Undefined::NoSharedPositions));
    assert_eq!((missed.recall(), missed.f1()), (Ok(0.0), Ok(0.0)));
    let nothing = span_counts::<&str>(&[], &[], SpanMatch::Exact);
    assert_eq!(nothing.f1(), Err(Undefined::NoSharedPositions));
}

#[test]
fn one_long_span_is_partner_of_one_short_span_only() {
    let gold = spans([(0, 30, "PER")]);
    let found = spans([(0, 5, "PER"), (10, 15, "PER"), (20, 25, "PER")]);
    assert_eq!(span_counts(&gold, &found, SpanMatch::Overlap).matched, 1);
    assert_eq!(span_counts(&found, &gold, SpanMatch::Overlap).matched, 1);
}

/// Taking the first partner, or the one with the most overlap, would leave a span alone.
#[test]
fn as_many_spans_as_possible_get_a_partner() {
    let gold = spans([(0, 10, "PER"), (9, 12, "PER")]);
    let found = spans([(0, 2, "PER"), (3, 12, "PER")]);
    assert_eq!(span_counts(&gold, &found, SpanMatch::Overlap).matched, 2);
}

#[test]
fn touching_spans_do_not_overlap() {
    let counts = |by| span_counts(&spans([(0, 5, "PER")]), &spans([(5, 9, "PER")]), by);
    assert_eq!(counts(SpanMatch::Overlap).matched, 0);
}

#[test]
fn token_score_counts_labels_of_tokens() {
    let tokens = [(0, 4), (5, 9), (10, 14)];
    let gold = spans([(0, 14, "PER")]);
    let found = spans([(5, 14, "PER"), (10, 14, "LOC")]);
    let counts = span_counts(&gold, &found, SpanMatch::Tokens(&tokens));
    assert_eq!(counts, SpanCounts { matched: 2, gold: 3, found: 3 });
}

#[test]
fn scores_of_documents_are_pooled() {
    let one = SpanCounts { matched: 1, gold: 2, found: 2 };
    let other = SpanCounts { matched: 3, gold: 3, found: 4 };
    assert_eq!(one.plus(other).f1(), Ok(8.0 / 11.0));
}

#[test]
fn several_labels_on_one_position_are_compared_as_a_set() {
    let first = judgements(spans([(0, 5, "PER"), (0, 5, "TITLE"), (8, 9, "ORG")]));
    let second = judgements(spans([(0, 5, "TITLE"), (0, 5, "PER"), (8, 9, "LOC")]));
    let tally = position_tally(&first, &second, Policy::Cleaned);
    assert_eq!(tally.table.agreements(), 1);
    assert_eq!(tally.table.count(&set(["ORG"]), &set(["LOC"])), 1);
}

#[test]
fn token_tally_counts_what_nobody_marked_as_o() {
    let tokens: Vec<(u64, u64)> = (0..10).map(|token| (token * 5, token * 5 + 4)).collect();
    let first = judgements(spans([(0, 9, "PER")]));
    let second = judgements(spans([(5, 14, "PER")]));
    let tally = token_tally(&first, &second, &tokens);
    assert_eq!(tally.coverage, Coverage { both: 1, only_first: 1, only_second: 1 });
    let (person, outside) = (set(["PER"]), set([]));
    let expected: Contingency<_> = [
        (person.clone(), person.clone()),
        (person.clone(), outside.clone()),
        (outside.clone(), person),
    ]
    .into_iter()
    .chain(std::iter::repeat_n((outside.clone(), outside), 7))
    .collect();
    assert_eq!(tally.table, expected);
}

#[test]
fn token_tally_takes_a_reject_for_a_judgement() {
    let labeler = judgements(spans([(0, 4, "PER")]));
    let mut reviewer = judgements::<&str>([]);
    reviewer.insert((0, 4), set([]));
    let tally = token_tally(&labeler, &reviewer, &[(0, 4), (5, 9)]);
    assert_eq!(tally.coverage, Coverage { both: 1, only_first: 0, only_second: 0 });
    assert_eq!(tally.table.agreements(), 1);
}

#[test]
fn overlap_tally_keeps_the_assignment_with_the_most_common_text() {
    let first = judgements(spans([(0, 10, "PER"), (8, 30, "ORG")]));
    let second = judgements(spans([(5, 28, "ORG"), (30, 40, "LOC")]));
    let cleaned = overlap_tally(&first, &second, Policy::Cleaned);
    assert_eq!(cleaned.table, Contingency::from_iter([(set(["ORG"]), set(["ORG"]))]));
    assert_eq!(cleaned.coverage, Coverage { both: 1, only_first: 1, only_second: 1 });

    let with_empty = overlap_tally(&first, &second, Policy::EmptyLabel);
    assert_eq!(with_empty.table.count(&set(["PER"]), &set([])), 1);
    assert_eq!(with_empty.table.count(&set([]), &set(["LOC"])), 1);
    assert_eq!(with_empty.table.total(), 3);
}

#[test]
fn equal_overlaps_go_to_the_equal_label() {
    let first = judgements(spans([(0, 10, "PER")]));
    let second = judgements(spans([(0, 5, "LOC"), (5, 10, "PER")]));
    let tally = overlap_tally(&first, &second, Policy::Cleaned);
    assert_eq!(tally.table.agreements(), 1);
}

#[test]
fn overlap_tally_of_exact_positions_is_the_position_tally() {
    let first = judgements(spans([(0, 5, "PER"), (8, 12, "ORG")]));
    let second = judgements(spans([(0, 5, "LOC"), (20, 22, "ORG")]));
    for policy in [Policy::Cleaned, Policy::EmptyLabel] {
        assert_eq!(overlap_tally(&first, &second, policy), position_tally(&first, &second, policy));
    }
}
