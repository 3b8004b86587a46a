//! The worked example of Datasaur's documentation: eight spans, two labelers and a reviewer, under
//! both policies. One pair has two kappas and two alphas; the policy is what differs.
#![expect(clippy::float_cmp, reason = "integers divided once are as exact as the literals")]

use std::collections::BTreeMap;

use agreement::{
    Coverage, PairTally, Policy, Undefined, alpha_steps, cohen_kappa, compare,
    krippendorff_alpha_nominal,
};

const NO_LABEL: &str = "";

/// Labels by span; "-" is a span without a label.
fn labels(by_span: &'static str) -> BTreeMap<usize, &'static str> {
    by_span.split(' ').enumerate().filter(|(_, label)| *label != "-").collect()
}

fn labeler_a() -> BTreeMap<usize, &'static str> {
    labels("EVE PER PER PER YEAR YEAR ORG -")
}

fn labeler_b() -> BTreeMap<usize, &'static str> {
    labels("TITLE - TITLE PER YEAR YEAR ORG -")
}

fn reviewer() -> BTreeMap<usize, &'static str> {
    labels("TITLE - PER PER YEAR YEAR PER QTY")
}

fn kappa_and_alpha(tally: &PairTally<&'static str>) -> Result<(f64, f64), Undefined> {
    Ok((cohen_kappa(&tally.table)?.value, krippendorff_alpha_nominal(&tally.table)?.value))
}

#[test]
fn labelers_a_and_b() {
    let cleaned = compare(&labeler_a(), &labeler_b(), Policy::Cleaned, &NO_LABEL);
    assert_eq!(cleaned.coverage, Coverage { both: 6, only_first: 1, only_second: 0 });
    assert_eq!(kappa_and_alpha(&cleaned), Ok((17.0 / 29.0, 3.0 / 5.0)));

    let with_empty = compare(&labeler_a(), &labeler_b(), Policy::EmptyLabel, &NO_LABEL);
    assert_eq!(with_empty.table.total(), 7);
    assert_eq!(kappa_and_alpha(&with_empty), Ok((20.0 / 41.0, 38.0 / 77.0)));
}

#[test]
fn labeler_a_and_reviewer() {
    let cleaned = compare(&labeler_a(), &reviewer(), Policy::Cleaned, &NO_LABEL);
    assert_eq!(cleaned.coverage, Coverage { both: 6, only_first: 1, only_second: 1 });
    assert_eq!(kappa_and_alpha(&cleaned), Ok((7.0 / 13.0, 14.0 / 25.0)));

    let with_empty = compare(&labeler_a(), &reviewer(), Policy::EmptyLabel, &NO_LABEL);
    assert_eq!(with_empty.table.total(), 8);
    assert_eq!(kappa_and_alpha(&with_empty), Ok((9.0 / 25.0, 19.0 / 49.0)));
}

#[test]
fn labeler_b_and_reviewer() {
    let cleaned = compare(&labeler_b(), &reviewer(), Policy::Cleaned, &NO_LABEL);
    assert_eq!(cleaned.coverage, Coverage { both: 6, only_first: 0, only_second: 1 });
    assert_eq!(kappa_and_alpha(&cleaned), Ok((5.0 / 9.0, 29.0 / 51.0)));

    let with_empty = compare(&labeler_b(), &reviewer(), Policy::EmptyLabel, &NO_LABEL);
    assert_eq!(with_empty.table.total(), 7);
    assert_eq!(kappa_and_alpha(&with_empty), Ok((19.0 / 40.0, 37.0 / 76.0)));
}

#[test]
fn steps_of_alpha_are_those_of_the_page() {
    let tally = compare(&labeler_a(), &reviewer(), Policy::Cleaned, &NO_LABEL);
    let steps = alpha_steps(&tally.table).unwrap();
    assert_eq!((steps.n, steps.r, steps.r_bar), (6, 12, 2.0));
    assert_eq!(
        steps.per_category,
        [
            ("EVE", 1, 1.0 / 12.0),
            ("ORG", 1, 1.0 / 12.0),
            ("PER", 5, 5.0 / 12.0),
            ("TITLE", 1, 1.0 / 12.0),
            ("YEAR", 4, 4.0 / 12.0),
        ]
    );
    assert_eq!(steps.observed_uncorrected, 2.0 / 3.0);
    assert_eq!((steps.observed, steps.expected), (100.0 / 144.0, 44.0 / 144.0));
    assert_eq!(steps.alpha, 0.56);
}

#[test]
fn reject_of_what_both_labelers_marked_lowers_their_agreement_with_the_reviewer() {
    let mut decided = reviewer();
    let before = compare(&labeler_a(), &decided, Policy::Cleaned, &NO_LABEL);
    decided.insert(3, NO_LABEL);
    let after = compare(&labeler_a(), &decided, Policy::Cleaned, &NO_LABEL);

    assert_eq!(after.coverage, before.coverage);
    let (kappa_before, alpha_before) = kappa_and_alpha(&before).unwrap();
    let (kappa_after, alpha_after) = kappa_and_alpha(&after).unwrap();
    assert!(kappa_after < kappa_before && alpha_after < alpha_before);
}
