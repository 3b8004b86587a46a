//! What is counted at once, by code and on all cores, is what is counted one by one.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "these rows are studies")]

use agreement::inference::{GradedUnits, NominalUnits, Resampling, bootstrap, jackknife};
use agreement::{
    CoincidenceTally, Contingency, Interval, Item, Linear, Nominal, NominalPairs, NominalTally,
    Number, Ordinal, PairMatrix, Ratings, Ratio, Scheme, Undefined, Weights, alpha_nominal,
    cohen_kappa, gwet_ac2, krippendorff_alpha, krippendorff_alpha_nominal, pairwise, percent,
    scott_pi, weighted_kappa,
};
use proptest::prelude::*;

type Rows = Vec<(Vec<Option<u32>>, u64)>;

/// Studies around the sizes at which the counting changes: groups of raters, widths of codes.
fn rows(most_items: usize) -> impl Strategy<Value = Rows> {
    let sizes = (prop_oneof![0..6_usize, 30..36_usize], prop_oneof![Just(3_u32), Just(400)]);
    let times = prop_oneof![Just(1..2_u64), Just(0..5_u64)];
    (sizes, times).prop_flat_map(move |((raters, categories), times)| {
        let rating = prop::option::weighted(0.8, 0..categories);
        prop::collection::vec((prop::collection::vec(rating, raters), times), 0..most_items)
    })
}

fn study(rows: &Rows) -> Ratings<u32> {
    Ratings::from_patterns(rows.iter().map(|(row, times)| (row.iter().copied(), *times))).unwrap()
}

/// The tables as they are defined, one rating after the other.
fn tables(rows: &Rows) -> Vec<Contingency<u32>> {
    let raters = rows.first().map_or(0, |(row, _)| row.len());
    let pairs = (0..raters).flat_map(|a| (a + 1..raters).map(move |b| (a, b)));
    let table = |(a, b): (usize, usize)| {
        let mut table = Contingency::new();
        for (row, times) in rows {
            if let (Some(a), Some(b)) = (row[a], row[b]) {
                table.add_count(a, b, *times);
            }
        }
        table
    };
    pairs.map(table).collect()
}

fn matrices(pairs: &NominalPairs) -> [PairMatrix; 4] {
    [pairs.cohen_kappa(), pairs.krippendorff_alpha(), pairs.scott_pi(), pairs.percent()]
}

fn assert_defined_alike(rows: &Rows) {
    let (study, tables) = (study(rows), tables(rows));
    let measures = [cohen_kappa, krippendorff_alpha_nominal, scott_pi, percent];
    for (matrix, measure) in matrices(&NominalPairs::of(&study)).into_iter().zip(measures) {
        let expected: Vec<_> = tables.iter().map(measure).collect();
        assert_eq!(matrix.values().collect::<Vec<_>>(), expected);
        assert_eq!(pairwise(&study, measure), matrix);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn all_pairs_at_once_equal_each_pair_by_itself(rows in rows(60)) {
        assert_defined_alike(&rows);
    }

    #[test]
    fn resampled_tallies_equal_resampled_items(rows in rows(30)) {
        let counts = study(&rows).counts();
        let rated = counts.items().iter().filter(|(item, _)| item.ratings() > 0);
        let items: Vec<&Item<u32>> =
            rated.flat_map(|(item, times)| (0..*times).map(move |_| item)).collect();
        let alpha = |times: &[u32]| {
            let mut tally = NominalTally::new();
            for (item, &times) in items.iter().zip(times) {
                tally.add_times(item, times.into()).unwrap();
            }
            Ok(alpha_nominal(&tally)?.value)
        };
        let units = NominalUnits::items(&study(&rows)).unwrap();
        prop_assert_eq!(units.len(), items.len());
        let resampling = Resampling { resamples: 20, seed: 3 };
        let fast = units.bootstrap(resampling, |tally| Ok(alpha_nominal(tally)?.value));
        if !units.is_empty() {
            prop_assert_eq!(fast, bootstrap(items.len(), resampling, alpha));
            let fast = units.jackknife(|tally| Ok(alpha_nominal(tally)?.value));
            let slow = jackknife(items.len(), alpha);
            prop_assert_eq!(fast.is_ok(), slow.is_ok());
            if let (Ok(fast), Ok(slow)) = (fast, slow) {
                prop_assert!((fast.standard_error() - slow.standard_error()).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn tallies_of_arrays_equal_tallies_of_items(rows in rows(60)) {
        let study = study(&rows);
        prop_assert_eq!(study.nominal_tally(), study.counts().nominal_tally());
        prop_assert_eq!(study.coincidences(), study.counts().coincidences());
    }
}

proptest! {
    #[test]
    fn sums_over_a_line_equal_sums_over_pairs(
        pairs in prop::collection::vec((-9..9_i32, -9..9_i32), 0..40),
    ) {
        let table: Contingency<i32> = pairs.into_iter().collect();
        let tally = CoincidenceTally::from(&table);
        let linear = |a: &i32, b: &i32| f64::from((a - b).abs());
        let squared = |a: &i32, b: &i32| f64::from((a - b) * (a - b));
        let unlike = |a: &i32, b: &i32| f64::from(u8::from(a != b));
        for [on_a_line, by_pairs] in [
            [weighted_kappa(&table, &Linear), weighted_kappa(&table, &linear)],
            [weighted_kappa(&table, &Interval), weighted_kappa(&table, &squared)],
            [weighted_kappa(&table, &Nominal), weighted_kappa(&table, &unlike)],
            [krippendorff_alpha(&tally, &Linear), krippendorff_alpha(&tally, &linear)],
            [krippendorff_alpha(&tally, &Interval), krippendorff_alpha(&tally, &squared)],
        ] {
            match (on_a_line, by_pairs) {
                (Ok(a), Ok(b)) => prop_assert!((a.value - b.value).abs() < 1e-14),
                (a, b) => prop_assert_eq!(a, b),
            }
        }
    }
}

#[test]
fn places_too_far_apart_have_no_distance() {
    let far = [Number::new(-1e200).unwrap(), Number::new(1e200).unwrap()];
    let table: Contingency<Number> = [(far[0], far[0]), (far[1], far[1])].into_iter().collect();
    assert_eq!(weighted_kappa(&table, &Interval), Err(Undefined::NoDistance));
    assert_eq!(krippendorff_alpha(&(&table).into(), &Interval), Err(Undefined::NoDistance));
}

/// Longer than what a byte counts, and than a task's fewest items.
#[test]
fn blocks_and_parts_of_items_add_up() {
    for (raters, items) in [(3, 254), (3, 255), (3, 256), (2, 8_160), (3, 8_161), (33, 1_100)] {
        for categories in if raters < 33 { vec![10, 254, 255] } else { vec![10] } {
            let rating = |item: usize, rater: usize| {
                let mixed = (item * 31 + rater * 17 + item * rater / 3) % (categories + 2);
                (mixed < categories).then(|| u32::try_from(mixed).unwrap())
            };
            let row = |item| ((0..raters).map(|rater| rating(item, rater)).collect(), 1);
            assert_defined_alike(&(0..items).map(row).collect());
        }
    }
}

#[cfg(feature = "parallel")]
#[test]
fn the_number_of_threads_does_not_matter() {
    for (raters, items, times) in [(34, 9_000, 1..2), (5, 20_000, 1..2), (5, 9_000, 0..3)] {
        let rating = |item: usize, rater: usize| {
            let mixed = (item * item + rater * 7 + item * rater / 5) % 12;
            (mixed < 10).then(|| u32::try_from(mixed).unwrap())
        };
        let row = |item| (0..raters).map(move |rater| rating(item, rater)).collect();
        let rows: Rows = (0..items).map(row).zip(times.cycle()).collect();
        let study = study(&rows);
        let measured = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let few = study.with_raters(&[0, 1, 2, 3]);
                let pairs = (NominalPairs::of(&study), pairwise(&few, cohen_kappa));
                (pairs, study.nominal_tally(), study.coincidences())
            })
        };
        let expected = measured(1);
        for threads in [2, 3, 8] {
            assert_eq!(measured(threads), expected);
        }
    }
}

proptest! {
    #[test]
    fn graded_units_are_the_measure_of_their_tallies_however_often_each_counts(
        documents in prop::collection::vec((prop::collection::vec(prop::collection::vec(1..6_i32, 1..5), 0..4), 0..4_u32), 2..7),
    ) {
        let tallies: Vec<CoincidenceTally<i32>> = documents
            .iter()
            .map(|(items, _)| {
                let mut tally = CoincidenceTally::new();
                for item in items {
                    tally.add(&item.iter().copied().collect()).unwrap();
                }
                tally
            })
            .collect();
        let times: Vec<u32> = documents.iter().map(|(_, times)| *times).collect();
        let mut all = CoincidenceTally::new();
        for (tally, times) in tallies.iter().zip(&times) {
            for _ in 0..*times {
                all.merge(tally).unwrap();
            }
        }
        let weights = Weights::by_value(Scheme::Quadratic, 1..6).unwrap();
        let cases = [
            (GradedUnits::of_distance(&tallies, &Interval), krippendorff_alpha(&all, &Interval).map(|it| it.value)),
            (GradedUnits::of_distance(&tallies, &Ratio), krippendorff_alpha(&all, &Ratio).map(|it| it.value)),
            (Ok(GradedUnits::of_order(&tallies)), krippendorff_alpha(&all, &Ordinal::of(&all)).map(|it| it.value)),
            (GradedUnits::of_weights(&tallies, &weights), gwet_ac2(&all, &weights).map(|it| it.value)),
        ];
        for (place, (units, expected)) in cases.into_iter().enumerate() {
            let found = units.unwrap().value(&times);
            if let (Ok(found), Ok(expected)) = (&found, &expected) {
                prop_assert!((found - expected).abs() < 1e-9, "{place}: {found} {expected}");
            } else {
                prop_assert_eq!(&found, &expected, "{}", place);
            }
        }
    }
}
