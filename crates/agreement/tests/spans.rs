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
    let cleaned = overlap_tally(&first, &second, Policy::Cleaned).unwrap();
    assert_eq!(cleaned.table, Contingency::from_iter([(set(["ORG"]), set(["ORG"]))]));
    assert_eq!(cleaned.coverage, Coverage { both: 1, only_first: 1, only_second: 1 });

    let with_empty = overlap_tally(&first, &second, Policy::EmptyLabel).unwrap();
    assert_eq!(with_empty.table.count(&set(["PER"]), &set([])), 1);
    assert_eq!(with_empty.table.count(&set([]), &set(["LOC"])), 1);
    assert_eq!(with_empty.table.total(), 3);
}

#[test]
fn labels_have_no_say_in_who_is_whose_partner() {
    let first = judgements(spans([(0, 10, "PER")]));
    let named = |one, other| judgements(spans([(0, 5, one), (5, 10, other)]));
    let agreements =
        |second| overlap_tally(&first, &second, Policy::Cleaned).unwrap().table.agreements();
    // Of two spans with as much in common, one is the partner, whatever they are called.
    assert_eq!(agreements(named("LOC", "PER")) + agreements(named("PER", "LOC")), 1);
}

/// Worked by hand. Ana: PER 0–6, YEAR 10–14, PER 20–31; Bo: PER 0–6, YEAR 10–14, PER 22–31, QTY 40–45. The
/// pairs have 6, 4 and 9 characters in common and the same labels, and QTY is Bo's alone: `p_o` = 3/4,
/// `p_e` = (2·2 + 1·1)/16 = 5/16, κ = (12 − 5)/(16 − 5) = 7/11.
#[test]
fn kappa_of_overlapping_spans_is_that_of_their_pairs() {
    let first = judgements(spans([(0, 6, "PER"), (10, 14, "YEAR"), (20, 31, "PER")]));
    let second =
        judgements(spans([(0, 6, "PER"), (10, 14, "YEAR"), (22, 31, "PER"), (40, 45, "QTY")]));
    let tally = overlap_tally(&first, &second, Policy::EmptyLabel).unwrap();
    assert_eq!(tally.coverage, Coverage { both: 3, only_first: 0, only_second: 1 });
    assert_eq!(tally.table.count(&set([]), &set(["QTY"])), 1);
    let kappa = agreement::cohen_kappa(&tally.table).map(|kappa| kappa.value);
    assert_eq!(kappa, Ok(7.0 / 11.0));
}

/// Worked by hand, of the same two raters in a text of 12 tokens: PER on 1, 2 of Ana and of Bo on 1;
/// YEAR on token 4 of both; the other 9 tokens are nobody's. `p_o` = 11/12, `p_e` = (2·1 + 1·1 + 9·10)/144 =
/// 93/144, κ = (132 − 93)/(144 − 93) = 39/51 = 13/17.
#[test]
fn kappa_of_tokens_counts_those_that_nobody_marked() {
    let tokens: Vec<(u64, u64)> = (0..12).map(|token| (token * 5, token * 5 + 4)).collect();
    let first = judgements(spans([(5, 14, "PER"), (20, 24, "YEAR")]));
    let second = judgements(spans([(5, 9, "PER"), (20, 24, "YEAR")]));
    let tally = token_tally(&first, &second, &tokens);
    assert_eq!(tally.coverage, Coverage { both: 2, only_first: 1, only_second: 0 });
    assert_eq!(tally.table.count(&set([]), &set([])), 9);
    let kappa = agreement::cohen_kappa(&tally.table).map(|kappa| kappa.value);
    assert_eq!(kappa, Ok(13.0 / 17.0));
}

#[test]
fn a_reject_is_no_span_and_has_no_partner() {
    let labeler = judgements(spans([(0, 10, "PER")]));
    let mut reviewer = judgements(spans([(0, 8, "PER")]));
    reviewer.insert((0, 10), set([]));
    let tally = overlap_tally(&labeler, &reviewer, Policy::EmptyLabel).unwrap();
    assert_eq!((tally.table.agreements(), tally.table.total()), (1, 1));
}

#[test]
fn overlap_tally_of_exact_positions_is_the_position_tally() {
    let first = judgements(spans([(0, 5, "PER"), (8, 12, "ORG")]));
    let second = judgements(spans([(0, 5, "LOC"), (20, 22, "ORG")]));
    for policy in [Policy::Cleaned, Policy::EmptyLabel] {
        let by_overlap = overlap_tally(&first, &second, policy);
        assert_eq!(by_overlap, Ok(position_tally(&first, &second, policy)));
    }
}
