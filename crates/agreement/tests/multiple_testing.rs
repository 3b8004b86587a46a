//! Corrections of p-values: published ones, and laws.

use agreement::inference::{benjamini_yekutieli, holm};
use proptest::prelude::*;

/// Benjamini and Hochberg (1995), section 4.1: the p-values of 15 comparisons of two treatments.
const FIFTEEN: [f64; 15] = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719,
    0.6528, 0.7590, 1.0000,
];

/// They take the harmonic sum of 15, 3.3182.
#[test]
fn benjamini_yekutieli_2001_on_the_p_values_of_benjamini_hochberg_1995() {
    let corrected = benjamini_yekutieli(&FIFTEEN);
    assert_eq!(corrected.iter().filter(|p| **p <= 0.05).count(), 3);
    assert!((corrected[3] - 0.0095 * 15.0 * 3.318_229 / 4.0).abs() < 1e-6);
}

/// Holm compares the smallest with 5 % / 15, the next with 5 % / 14, and so on: the fourth, with 5 % / 12 =
/// 0.0042, is the first that is not rejected.
#[test]
fn holm_1979_on_the_p_values_of_benjamini_hochberg_1995() {
    let corrected = holm(&FIFTEEN);
    // None is below the one before: 9 · 0.0298 and 8 · 0.0344 are.
    let by_hand = [0.0015, 0.0056, 0.0247, 0.114, 0.2211, 0.278, 0.278, 0.278, 0.3213, 1.0];
    for (corrected, by_hand) in corrected.iter().zip(by_hand) {
        assert!((corrected - by_hand).abs() < 1e-12, "{corrected} {by_hand}");
    }
    assert_eq!(corrected.iter().filter(|p| **p <= 0.05).count(), 3);
}

#[test]
fn one_test_or_none_needs_no_correction() {
    for correct in [holm, benjamini_yekutieli] {
        assert_eq!((correct(&[]), correct(&[0.04])), (vec![], vec![0.04]));
    }
}

proptest! {
    #[test]
    fn corrected_p_values_keep_their_order_and_lie_between_plain_ones_and_bonferronis(
        p_values in prop::collection::vec(0.0..=1.0_f64, 1..12),
    ) {
        let count = f64::from(u32::try_from(p_values.len()).unwrap());
        let corrected = holm(&p_values);
        for (p, corrected) in p_values.iter().zip(&corrected) {
            prop_assert!(p <= corrected && *corrected <= (count * p).min(1.0) + 1e-12);
        }
        for corrected in [corrected, benjamini_yekutieli(&p_values)] {
            for (p, one) in p_values.iter().zip(&corrected) {
                for (q, other) in p_values.iter().zip(&corrected) {
                    prop_assert!(p > q || one <= other);
                }
            }
        }
    }

    #[test]
    fn their_order_does_not_matter(p_values in prop::collection::vec(0.0..=1.0_f64, 0..12)) {
        let turned: Vec<f64> = p_values.iter().rev().copied().collect();
        for correct in [holm, benjamini_yekutieli] {
            let mut of_turned = correct(&turned);
            of_turned.reverse();
            prop_assert_eq!(correct(&p_values), of_turned);
        }
    }
}
