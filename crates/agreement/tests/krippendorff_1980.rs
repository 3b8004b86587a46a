//! Krippendorff (1980), Content Analysis, page 133: two observers, ten dichotomous units.
#![expect(clippy::float_cmp, reason = "integers divided once are as exact as the literals")]

mod printed;

use agreement::{Contingency, alpha_steps, krippendorff_alpha_nominal, percent};
use printed::assert_prints;

fn page_133() -> Contingency<u8> {
    [0, 1, 0, 0, 0, 0, 0, 0, 1, 0].into_iter().zip([0, 1, 1, 0, 0, 1, 0, 1, 0, 0]).collect()
}

#[test]
fn alpha_matches_the_printed_value() {
    assert_prints(percent(&page_133()), "0.6");
    assert_prints(krippendorff_alpha_nominal(&page_133()), "0.095");
}

#[test]
fn steps_fill_in_the_formula() {
    let steps = alpha_steps(&page_133()).unwrap();
    assert_eq!((steps.n, steps.r, steps.r_bar), (10, 20, 2.0));
    assert_eq!(steps.per_category, [(0, 14, 0.7), (1, 6, 0.3)]);
    assert_eq!((steps.observed_uncorrected, steps.observed, steps.expected), (0.6, 0.62, 0.58));
    assert_eq!(steps.alpha, 2.0 / 21.0);
}

/// `α = 1 − D_o / D_e` from the coincidence matrix, as the book computes it.
#[test]
fn agreement_form_equals_disagreement_form() {
    let (zeros, ones, mismatched_values) = (14.0, 6.0, 8.0);
    let values = zeros + ones;
    let observed_disagreement = mismatched_values / values;
    let expected_disagreement = 2.0 * zeros * ones / (values * (values - 1.0));
    let alpha = krippendorff_alpha_nominal(&page_133()).unwrap().value;
    assert!((alpha - (1.0 - observed_disagreement / expected_disagreement)).abs() < 1e-15);
}
