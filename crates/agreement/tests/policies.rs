//! What each policy counts, position by position.

use std::collections::BTreeMap;

use agreement::{Contingency, Coverage, NotCounted, PairTally, Policy, compare};

const EMPTY: &str = "";

#[test]
fn cleaned_counts_only_positions_both_judged() {
    let first = BTreeMap::from([(1, "PER"), (2, "ORG")]);
    let second = BTreeMap::from([(2, "LOC"), (3, "PER")]);
    let tally = compare(&first, &second, Policy::Cleaned, &EMPTY);
    assert_eq!(tally.table, Contingency::from_iter([("ORG", "LOC")]));
    assert_eq!(tally.coverage, Coverage { both: 1, only_first: 1, only_second: 1 });
}

#[test]
fn empty_label_stands_in_for_the_missing_judgement() {
    let first = BTreeMap::from([(1, "PER"), (2, "ORG")]);
    let second = BTreeMap::from([(2, "LOC"), (3, "PER")]);
    let tally = compare(&first, &second, Policy::EmptyLabel, &EMPTY);
    let expected = Contingency::from_iter([("PER", EMPTY), ("ORG", "LOC"), (EMPTY, "PER")]);
    assert_eq!(tally.table, expected);
    assert_eq!(tally.coverage, Coverage { both: 1, only_first: 1, only_second: 1 });
}

#[test]
fn reject_is_a_judgement_under_both_policies() {
    let labeler = BTreeMap::from([(1, "PER")]);
    let reviewer = BTreeMap::from([(1, EMPTY)]);
    for policy in [Policy::Cleaned, Policy::EmptyLabel] {
        let tally = compare(&labeler, &reviewer, policy, &EMPTY);
        assert_eq!(tally.table, Contingency::from_iter([("PER", EMPTY)]));
        assert_eq!(tally.coverage, Coverage { both: 1, only_first: 0, only_second: 0 });
    }
}

/// The reviewer rejects what another labeler marked: this labeler, who left it out, was right.
#[test]
fn reject_agrees_with_a_labeler_who_did_not_mark_the_position() {
    let labeler = BTreeMap::<i32, _>::new();
    let reviewer = BTreeMap::from([(1, EMPTY)]);

    let with_empty = compare(&labeler, &reviewer, Policy::EmptyLabel, &EMPTY);
    assert_eq!(with_empty.table.agreements(), 1);
    assert_eq!(with_empty.coverage, Coverage { both: 0, only_first: 0, only_second: 1 });

    let cleaned = compare(&labeler, &reviewer, Policy::Cleaned, &EMPTY);
    assert!(cleaned.table.is_empty());
}

#[test]
fn position_counts_its_coverage_even_where_nothing_is_compared() {
    let first = BTreeMap::from([(1, "PER")]);
    let tally = compare(&first, &BTreeMap::new(), Policy::Cleaned, &EMPTY);
    assert_eq!(tally.coverage.positions(), 1);
    assert!(tally.table.is_empty());
}

#[test]
fn failed_subtraction_changes_neither_table_nor_coverage() {
    let judged = BTreeMap::from([(1, "PER"), (2, "ORG")]);
    let original = compare(&judged, &judged, Policy::Cleaned, &EMPTY);

    let other_labels = BTreeMap::from([(1, "PER"), (2, "LOC")]);
    let not_in_table = compare(&other_labels, &other_labels, Policy::Cleaned, &EMPTY);
    let not_in_coverage = compare(&judged, &BTreeMap::new(), Policy::Cleaned, &EMPTY);
    for uncounted in [not_in_table, not_in_coverage] {
        let mut tally = original.clone();
        assert_eq!(tally.subtract(&uncounted), Err(NotCounted));
        assert_eq!(tally, original);
    }
}

#[test]
fn tally_less_itself_counts_nothing() {
    let judged = BTreeMap::from([(1, "PER"), (2, "ORG")]);
    let mut tally = compare(&judged, &BTreeMap::from([(2, "PER")]), Policy::EmptyLabel, &EMPTY);
    let same = tally.clone();
    tally.subtract(&same).unwrap();
    assert_eq!(tally, PairTally::default());
}
