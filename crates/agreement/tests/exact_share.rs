//! Exact intervals of a share.

use agreement::Undefined;
use agreement::inference::{Level, exact_share_interval};
use proptest::prelude::*;

/// As `scipy.stats.beta` 1.17 has the quantiles.
#[test]
fn clopper_and_pearson_1934_as_scipy_has_it() {
    for (count, trials, level, lower, upper) in [
        (0, 20, Level::P95, 0.0, 0.168_433_470_983_085_3),
        (1, 20, Level::P95, 0.001_265_089_497_949_804_7, 0.248_732_762_772_027_77),
        (4, 20, Level::P90, 0.071_353_884_308_618_19, 0.401_028_117_331_974_63),
        (20, 20, Level::P95, 0.831_566_529_016_914_7, 1.0),
        (37, 1_200, Level::P95, 0.021_800_487_941_029_41, 0.042_250_906_917_481_62),
        (263, 400, Level::P99, 0.593_507_749_207_341_2, 0.717_664_166_071_952_7),
        (1, 1, Level::P95, 0.025, 1.0),
        (3, 100_000, Level::P95, 6.186_763_958_922_032e-6, 8.767_020_256_636_2e-5),
    ] {
        let interval = exact_share_interval(count, trials, level).unwrap();
        for (found, expected) in [(interval.lower, lower), (interval.upper, upper)] {
            let apart: f64 = found - expected;
            assert!(apart.abs() <= 1e-9 * expected, "{count} of {trials}: {found} {expected}");
        }
    }
}

#[test]
fn without_trials_there_is_no_interval() {
    let of = |count, trials| exact_share_interval(count, trials, Level::P95);
    assert_eq!(of(0, 0), Err(Undefined::NoSharedPositions));
    assert_eq!(of(3, 2), Err(Undefined::OptionOutOfRange));
    assert_eq!(of(0, u64::MAX), Err(Undefined::TooManyPositions));
}

/// The probability of each count of so many trials, each a hit with the given chance.
fn binomial(trials: u32, chance: f64) -> Vec<f64> {
    let mut row = vec![1.0];
    for _ in 0..trials {
        let (mut next, mut from_before) = (Vec::new(), 0.0);
        for probability in row {
            next.push(from_before + probability * (1.0 - chance));
            from_before = probability * chance;
        }
        next.push(from_before);
        row = next;
    }
    row
}

proptest! {
    #[test]
    fn the_true_share_is_covered_at_least_as_often_as_the_level_says(
        trials in 1_u32..60,
        chance in 0.0..=1.0_f64,
    ) {
        let mut covered = 0.0;
        for (count, probability) in (0..).zip(binomial(trials, chance)) {
            let interval = exact_share_interval(count, trials.into(), Level::P95).unwrap();
            if interval.lower <= chance && chance <= interval.upper {
                covered += probability;
            }
        }
        prop_assert!(covered >= 0.95 - 1e-9, "{covered}");
    }

    #[test]
    fn misses_have_the_interval_of_hits_turned_round(trials in 1_u64..500, part in 0.0..1.0_f64) {
        let count = (0..=trials).rev().find(|count| {
            let share = f64::from(u32::try_from(*count).unwrap()) / f64::from(u32::try_from(trials).unwrap());
            share <= part
        });
        let count = count.unwrap();
        let hits = exact_share_interval(count, trials, Level::P95).unwrap();
        let misses = exact_share_interval(trials - count, trials, Level::P95).unwrap();
        prop_assert!((hits.lower + misses.upper - 1.0).abs() < 1e-12);
        prop_assert!((hits.upper + misses.lower - 1.0).abs() < 1e-12);
    }
}
