//! Two models on the same items: `McNemar`'s test, and exchanging the two.

use agreement::Undefined;
use agreement::inference::{
    Binary, Resampling, TwoSided, fisher_exact, mcnemar_exact, permutation_test,
};
use proptest::prelude::*;

fn sum_of(more: &[f64]) -> impl Fn(&[bool]) -> Result<f64, Undefined> {
    move |exchanged| {
        Ok(more.iter().zip(exchanged).map(|(more, is)| if *is { -more } else { *more }).sum())
    }
}

/// Fisher, R. A. (1935). *The Design of Experiments*, section 21: Darwin's fifteen pairs of maize, in eighths
/// of an inch; 1,726 of 32,768 ways to exchange plants of a pair make a sum as far from 0.
#[test]
fn fisher_1935_on_darwins_maize() {
    let more =
        [49.0, -67.0, 8.0, 16.0, 6.0, 23.0, 28.0, 41.0, 14.0, 29.0, 56.0, 24.0, 75.0, 60.0, -48.0];
    let all = Resampling { resamples: 32_768, seed: 0 };
    let test = permutation_test(15, all, sum_of(&more)).unwrap();
    assert_eq!((test.difference, test.p_value, test.exact), (314.0, 1_726.0 / 32_768.0, true));
    let some = Resampling { resamples: 20_000, seed: 4 };
    let test = permutation_test(15, some, sum_of(&more)).unwrap();
    assert!(!test.exact && (test.p_value - 0.0527).abs() < 0.005, "{test:?}");
}

/// Agresti, A. (2013). *Categorical Data Analysis*, table 11.1: of 1,600 voters 150 took their approval
/// back, and 86 gave it; the exact p-value as `SciPy` 1.17 has it.
#[test]
fn agresti_2013_table_11_1() {
    let p_value = mcnemar_exact(150, 86).unwrap();
    assert!((p_value / 3.715_936_139_571_387e-5 - 1.0).abs() < 1e-10, "{p_value}");
}

#[test]
fn undefined_has_its_reason() {
    assert_eq!(mcnemar_exact(0, 0), Err(Undefined::NoVariance));
    assert_eq!(mcnemar_exact(u64::MAX, 1), Err(Undefined::TooManyPositions));
    assert_eq!(mcnemar_exact(1 << 40, 1), Err(Undefined::TooManyPositions));
    let nothing = |_: &[bool]| Ok(0.0);
    let none = permutation_test(0, Resampling::default(), nothing);
    assert_eq!(none, Err(Undefined::TooFewUnits));
    let undefined = |_: &[bool]| Err(Undefined::NoSharedPositions);
    let test = permutation_test(3, Resampling::default(), undefined);
    assert_eq!(test, Err(Undefined::NoSharedPositions));
}

/// No outcome is gone through that is impossible for a computer: up to 2⁴⁰ there are.
#[test]
fn the_largest_numbers_take_moments() {
    assert_eq!(mcnemar_exact(0, 1 << 40), Ok(0.0));
    assert_eq!(mcnemar_exact(1 << 40, 0), Ok(0.0));
    let near_half = mcnemar_exact((1 << 29) - 1, 1 << 29).unwrap();
    assert!((near_half - 1.0).abs() < 1e-9, "{near_half}");
    let table = Binary { both: 0, only_row: 1 << 38, only_column: 1 << 38, neither: 1 << 38 };
    assert_eq!(fisher_exact(&table, TwoSided::AtMostAsLikely), Ok(0.0));
}

/// Ways without a value make no difference look surer.
#[test]
fn a_way_without_a_value_counts_as_further() {
    let first_stays = |exchanged: &[bool]| match exchanged {
        [true, ..] => Err(Undefined::NoSharedPositions),
        _ => sum_of(&[5.0, 1.0])(exchanged),
    };
    let test = permutation_test(2, Resampling::default(), first_stays).unwrap();
    assert_eq!((test.difference, test.p_value), (6.0, 3.0 / 4.0));
}

proptest! {
    /// Of items that one of two gets right, exchanging the two item by item is McNemar's test.
    #[test]
    fn exchanging_items_is_mcnemars_test(items in prop::collection::vec(-1..=1_i8, 1..11)) {
        let only = |sign: i8| {
            u64::try_from(items.iter().filter(|item| **item == sign).count()).unwrap()
        };
        let more: Vec<f64> = items.iter().copied().map(f64::from).collect();
        let test = permutation_test(items.len(), Resampling::default(), sum_of(&more)).unwrap();
        match mcnemar_exact(only(1), only(-1)) {
            Ok(p_value) => prop_assert!((test.p_value - p_value).abs() < 1e-12),
            Err(reason) => {
                prop_assert_eq!((reason, test.p_value), (Undefined::NoVariance, 1.0));
            }
        }
    }

    #[test]
    fn who_is_called_first_does_not_matter(first in 0..500_u64, second in 1..500_u64) {
        let (one, other) = (mcnemar_exact(first, second)?, mcnemar_exact(second, first)?);
        prop_assert!((one - other).abs() < 1e-12 && (0.0..=1.0).contains(&one));
    }

    #[test]
    fn the_order_of_documents_does_not_matter(more in prop::collection::vec(-9..9_i8, 1..10)) {
        let more: Vec<f64> = more.into_iter().map(f64::from).collect();
        let turned: Vec<f64> = more.iter().rev().copied().collect();
        let test = |more: &[f64]| permutation_test(more.len(), Resampling::default(), sum_of(more));
        prop_assert_eq!(test(&more), test(&turned));
    }
}
