//! Standard errors: laws, edges, and that intervals contain the truth as often as they claim.

use agreement::inference::{
    Binary, Estimate, ItemCounts, Level, Reference, TwoSided, brennan_prediger_estimate,
    cohen_kappa_error_by_chance, cohen_kappa_estimate, cohen_kappa_test,
    fleiss_kappa_error_by_chance, fleiss_kappa_estimate, fleiss_kappa_test, gwet_ac1_estimate,
    homogeneity_interval, weighted_kappa_error_by_chance, weighted_kappa_estimate,
    weighted_kappa_test,
};
use agreement::{Contingency, Undefined};
use proptest::prelude::*;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "a measure passes any category so")]
fn nominal(a: &u8, b: &u8) -> f64 {
    f64::from(u8::from(a != b))
}

fn tables() -> impl Strategy<Value = Contingency<u8>> {
    prop::collection::vec((0..4_u8, 0..4_u8, 0..1_000_000_u64), 0..12).prop_map(|cells| {
        let mut table = Contingency::new();
        for (row, column, count) in cells {
            table.add_count(row, column, count);
        }
        table
    })
}

fn items() -> impl Strategy<Value = Vec<Vec<Option<u8>>>> {
    prop::collection::vec(prop::collection::vec(prop::option::of(0..3_u8), 4), 0..25)
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs())
}

type Measure = fn(&ItemCounts) -> Result<Estimate, Undefined>;

const MEASURES: [Measure; 3] =
    [fleiss_kappa_estimate, gwet_ac1_estimate, brennan_prediger_estimate];

proptest! {
    #[test]
    fn kappa_is_weighted_kappa_with_equal_weights(table in tables()) {
        match (cohen_kappa_estimate(&table), weighted_kappa_estimate(&table, nominal)) {
            (Ok(plain), Ok(weighted)) => {
                prop_assert!(close(plain.value, weighted.value));
                prop_assert!(close(plain.standard_error, weighted.standard_error));
                let plain = cohen_kappa_error_by_chance(&table).unwrap();
                let weighted = weighted_kappa_error_by_chance(&table, nominal).unwrap();
                prop_assert!(close(plain, weighted));
            }
            (plain, weighted) => prop_assert_eq!(plain.err(), weighted.err()),
        }
    }

    #[test]
    fn scale_of_the_weights_does_not_matter(table in tables(), factor in 0.01..100.0_f64) {
        let distance = |a: &u8, b: &u8| f64::from(a.abs_diff(*b));
        let scaled = |a: &u8, b: &u8| factor * distance(a, b);
        if let Ok(plain) = weighted_kappa_estimate(&table, distance) {
            let scaled = weighted_kappa_estimate(&table, scaled).unwrap();
            prop_assert!(close(plain.value, scaled.value));
            prop_assert!(close(plain.standard_error, scaled.standard_error));
        }
    }

    #[test]
    fn exchanging_the_raters_changes_nothing(table in tables()) {
        let twin = table.transposed();
        match (cohen_kappa_estimate(&table), cohen_kappa_estimate(&twin)) {
            (Ok(one), Ok(other)) => prop_assert!(close(one.standard_error, other.standard_error)),
            (one, other) => prop_assert_eq!(one.err(), other.err()),
        }
    }

    #[test]
    fn four_times_the_items_halve_the_error_exactly(table in tables()) {
        if let Ok(estimate) = cohen_kappa_estimate(&table) {
            let mut larger = Contingency::new();
            for (row, column, count) in table.cells() {
                larger.add_count(*row, *column, 4 * count);
            }
            let halved = cohen_kappa_estimate(&larger).unwrap().standard_error;
            prop_assert!(close(2.0 * halved, estimate.standard_error));
            let interval = estimate.interval(Level::P95);
            prop_assert!(interval.contains(estimate.value));
            prop_assert!(estimate.interval(Level::P99).width() >= interval.width());
        }
    }

    #[test]
    fn order_and_names_do_not_matter_to_the_last_bit(
        (items, shuffled) in items()
            .prop_flat_map(|items| (Just(items.clone()), Just(items).prop_shuffle())),
    ) {
        let renamed = items.iter().map(|item| item.iter().map(|c| c.map(|c| 200 - c)));
        let counts = ItemCounts::from_ratings(items.clone());
        for measure in MEASURES {
            let estimate = measure(&counts);
            prop_assert_eq!(estimate, measure(&ItemCounts::from_ratings(shuffled.clone())));
            prop_assert_eq!(estimate, measure(&ItemCounts::from_ratings(renamed.clone())));
        }
    }

    #[test]
    fn gwet_errors_equal_the_definition_item_by_item(items in items()) {
        let counts = ItemCounts::from_ratings(items.clone());
        if let Ok(estimate) = fleiss_kappa_estimate(&counts) {
            let expected = fleiss_by_definition(&items);
            prop_assert!(close(estimate.value, expected.0));
            prop_assert!(close(estimate.standard_error, expected.1));
        }
    }

    #[test]
    fn nothing_panics_or_is_nan(items in items(), declared in 0..6_usize) {
        let counts = ItemCounts::from_ratings(items).with_categories(declared);
        for measure in MEASURES {
            if let Ok(estimate) = measure(&counts) {
                prop_assert!(estimate.value <= 1.0 + 1e-12 && estimate.standard_error >= 0.0);
                let interval = estimate.interval(Level::P95);
            prop_assert!(interval.contains(estimate.value));
            prop_assert!(interval.lower >= estimate.value.min(-1.0) && interval.upper <= 1.0 + 1e-12);
            }
        }
        if let Ok(error) = fleiss_kappa_error_by_chance(&counts) {
            prop_assert!(error.is_finite());
        }
    }
}

/// Gwet (2014), chapter 5, as irrCAC writes it: value and standard error.
fn fleiss_by_definition(items: &[Vec<Option<u8>>]) -> (f64, f64) {
    let count = |item: &Vec<Option<u8>>, k: u8| {
        item.iter().filter(|&&c| c == Some(k)).map(|_| 1.0).sum::<f64>()
    };
    let ratings = |item: &Vec<Option<u8>>| (0..3).map(|k| count(item, k)).sum::<f64>();
    let rated: Vec<_> = items.iter().filter(|item| ratings(item) > 0.0).collect();
    let n = rated.iter().map(|_| 1.0).sum::<f64>();
    let pairable = rated.iter().filter(|item| ratings(item) > 1.0).map(|_| 1.0).sum::<f64>();
    let share = |k| rated.iter().map(|item| count(item, k) / ratings(item)).sum::<f64>() / n;
    let shares: Vec<f64> = (0..3).map(share).collect();
    let expected: f64 = shares.iter().map(|share| share * share).sum();
    let agreement = |item: &Vec<Option<u8>>| {
        let r = ratings(item);
        (0..3).map(|k| count(item, k) * (count(item, k) - 1.0)).sum::<f64>() / (r * (r - 1.0))
    };
    let observed =
        rated.iter().filter(|item| ratings(item) > 1.0).map(|item| agreement(item)).sum::<f64>()
            / pairable;
    let kappa = (observed - expected) / (1.0 - expected);
    let square = |item: &Vec<Option<u8>>| {
        let own = if ratings(item) > 1.0 {
            n / pairable * (agreement(item) - expected) / (1.0 - expected)
        } else {
            0.0
        };
        let by_chance: f64 =
            (0..3).zip(&shares).map(|(k, share)| share * count(item, k)).sum::<f64>()
                / ratings(item);
        let slope = 2.0 * (1.0 - kappa) * (by_chance - expected) / (1.0 - expected);
        (own - slope - kappa).powi(2)
    };
    let variance = rated.iter().map(|item| square(item)).sum::<f64>() / (n * (n - 1.0));
    (kappa, variance.sqrt())
}

#[test]
fn undefined_has_a_reason() {
    let empty = Contingency::<u8>::new();
    assert_eq!(cohen_kappa_estimate(&empty), Err(Undefined::NoSharedPositions));
    assert_eq!(cohen_kappa_error_by_chance(&empty), Err(Undefined::NoSharedPositions));
    assert_eq!(weighted_kappa_estimate(&empty, nominal), Err(Undefined::NoSharedPositions));
    let same = Contingency::from_iter([(1, 1), (1, 1)]);
    assert_eq!(cohen_kappa_estimate(&same), Err(Undefined::OneCategory));
    assert_eq!(weighted_kappa_test(&same, nominal), Err(Undefined::OneCategory));
    let apart = Contingency::from_iter([(1, 2), (1, 2)]);
    assert_eq!(cohen_kappa_test(&apart), Err(Undefined::NoVariance));

    let none = ItemCounts::default();
    let single = ItemCounts::from_ratings([[Some('a'), None], [None, Some('b')]]);
    let one_item = ItemCounts::from_ratings([[Some('a'), Some('b')]]);
    let one_category = ItemCounts::from_ratings([[Some('a'), Some('a')]; 3]);
    for measure in MEASURES {
        assert_eq!(measure(&none), Err(Undefined::NoSharedPositions));
        assert_eq!(measure(&single), Err(Undefined::NoSharedPositions));
        assert_eq!(measure(&one_item), Err(Undefined::TooFewUnits));
        assert_eq!(measure(&one_category), Err(Undefined::OneCategory));
    }
    let declared = one_category.clone().with_categories(2);
    assert_eq!(fleiss_kappa_estimate(&declared), Err(Undefined::OneCategory));
    assert!((gwet_ac1_estimate(&declared).unwrap().value - 1.0).abs() < 1e-15);

    assert_eq!(fleiss_kappa_error_by_chance(&none), Err(Undefined::NoSharedPositions));
    assert_eq!(fleiss_kappa_error_by_chance(&one_category), Err(Undefined::OneCategory));
    let unequal = ItemCounts::from_counts([[2, 0], [1, 2]]);
    assert_eq!(fleiss_kappa_error_by_chance(&unequal), Err(Undefined::UnequalRatings));
    assert_eq!(fleiss_kappa_test(&unequal), Err(Undefined::UnequalRatings));
}

#[test]
fn counts_up_to_the_capacity_have_errors() {
    let quarter = Contingency::<u8>::CAPACITY / 4;
    let mut table = Contingency::new();
    for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        table.add_count(row, column, quarter);
    }
    // κ = 0 and p_e = ½, where both errors are 1/√n = 2^-31.
    let expected = 2_f64.powi(-31);
    let error = cohen_kappa_estimate(&table).unwrap().standard_error;
    assert!((error / expected - 1.0).abs() < 1e-12);
    let by_chance = cohen_kappa_error_by_chance(&table).unwrap();
    assert!((by_chance / expected - 1.0).abs() < 1e-12);
}

#[test]
fn cohen_1960_p45_test_of_chance() {
    let mut table = Contingency::new();
    for (row, counts) in [(1_u8, [88, 14, 18]), (2, [10, 40, 10]), (3, [2, 6, 12])] {
        for (column, count) in (1_u8..).zip(counts) {
            table.add_count(row, column, count);
        }
    }
    let test = cohen_kappa_test(&table).unwrap();
    assert!((test.statistic - 0.491_525_423_728_813_5 / 0.051_978_936_356_595_44).abs() < 1e-9);
    assert!(test.p_value < 1e-20 && test.p_value > 0.0);
}

#[test]
fn weights_that_are_no_numbers_are_refused() {
    let table = Contingency::from_iter([(1, 2), (2, 1), (1, 1)]);
    for weight in [f64::NAN, f64::INFINITY] {
        let estimate = weighted_kappa_estimate(&table, |a, b| if a == b { 0.0 } else { weight });
        assert!(estimate.is_err());
    }
}

/// Numbers from 0 to 1 that a seed decides (Lehmer's generator of L'Ecuyer 1999).
struct Chance(u128);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(0xda94_2042_e4dd_58b5);
        let bits = u32::try_from(self.0 >> 96).unwrap_or_default();
        f64::from(bits) / 2_f64.powi(32)
    }

    /// Two raters who agree for a reason with probability `true_share`, and else say yes by
    /// chance with probability `yes`.
    ///
    /// Returns their table, and how many times they did agree for a reason.
    fn study(&mut self, items: u32, true_share: f64, yes: f64) -> (Contingency<bool>, u64) {
        let mut table = Contingency::new();
        let mut for_a_reason = 0;
        for _ in 0..items {
            let first = self.next() < yes;
            let truly = self.next() < true_share;
            let second = if truly { first } else { self.next() < yes };
            table.add(first, second);
            for_a_reason += u64::from(truly);
        }
        (table, for_a_reason)
    }
}

/// In this model kappa is the share of true agreement, and so is Fleiss' kappa.
#[test]
fn intervals_contain_the_truth_about_as_often_as_they_say() {
    let mut chance = Chance(0x1234_5678_9abc_def1);
    let (studies, truth) = (600, 0.6);
    let (mut of_cohen, mut of_fleiss, mut of_true_agreement) = (0, 0, 0);
    for _ in 0..studies {
        let (table, for_a_reason) = chance.study(150, truth, 0.4);
        let cohen = cohen_kappa_estimate(&table).unwrap();
        assert_eq!(cohen.reference, Reference::Normal);
        of_cohen += u32::from(cohen.interval(Level::P95).contains(truth));
        let ratings = table
            .cells()
            .flat_map(|(&row, &column, n)| (0..n).map(move |_| [Some(row), Some(column)]));
        let fleiss = fleiss_kappa_estimate(&ItemCounts::from_ratings(ratings)).unwrap();
        assert_eq!(fleiss.reference, Reference::StudentT(149));
        of_fleiss += u32::from(fleiss.interval(Level::P95).contains(truth));
        let table = Binary::one_vs_rest(&table, &true);
        let shares = homogeneity_interval(&table, Level::P95, TwoSided::DoubledTail).unwrap();
        of_true_agreement += u32::from((shares.least..=shares.most).contains(&for_a_reason));
    }
    for hits in [of_cohen, of_fleiss, of_true_agreement] {
        let covered = f64::from(hits) / f64::from(studies);
        assert!((0.91..0.995).contains(&covered), "{of_cohen} {of_fleiss} {of_true_agreement}");
    }
}

#[test]
fn chance_is_called_agreement_about_as_often_as_allowed() {
    let mut chance = Chance(0xfeed_beef_1234_5679);
    let studies = 600;
    let alarms: u32 = (0..studies)
        .map(|_| cohen_kappa_test(&chance.study(150, 0.0, 0.3).0).unwrap().p_value)
        .map(|p| u32::from(p < 0.05))
        .sum();
    let share = f64::from(alarms) / f64::from(studies);
    assert!((0.02..0.09).contains(&share), "{share}");
}

fn kappa<C: Ord + Clone>(table: &Contingency<C>) -> Result<f64, Undefined> {
    Ok(agreement::cohen_kappa(table)?.value)
}

#[test]
fn bootstrap_intervals_contain_the_truth_about_as_often_as_they_say() {
    use agreement::inference::{PairUnits, Resampling};
    let mut chance = Chance(0x0dd0_ba11_0000_0001);
    let (studies, truth) = (150_u32, 0.6);
    let (mut of_percentile, mut of_corrected) = (0, 0);
    for seed in 0..studies {
        let units = PairUnits::items(&chance.study(100, truth, 0.4).0);
        let resampling = Resampling { resamples: 300, seed: seed.into() };
        let resampled = units.bootstrap(resampling, kappa).unwrap();
        of_percentile += u32::from(resampled.percentile(Level::P95).contains(truth));
        let jackknifed = units.jackknife(kappa).unwrap();
        let corrected = resampled.bias_corrected(Level::P95, &jackknifed).unwrap();
        of_corrected += u32::from(corrected.contains(truth));
    }
    for hits in [of_percentile, of_corrected] {
        let covered = f64::from(hits) / f64::from(studies);
        assert!((0.87..=1.0).contains(&covered), "{of_percentile} {of_corrected}");
    }
}
