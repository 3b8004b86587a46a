//! Laws that hold for every study of many raters, and for every history of a tally.
#![expect(clippy::unwrap_used, reason = "these rows are studies")]

use std::collections::BTreeSet;

use agreement::{
    CoincidenceTally, Contingency, Interval, Item, Jaccard, LongForm, Masi, Nominal, NominalTally,
    Ratings, TallyError, Undefined, alpha_nominal, alpha_of_item, bennett_s, cohen_kappa,
    fleiss_kappa, gwet_ac1, hubert_kappa, krippendorff_alpha, krippendorff_alpha_nominal,
    light_kappa, percent, percent_by_item, percent_by_rating, percent_unanimous, randolph_kappa,
    scott_pi,
};
use proptest::prelude::*;
use proptest::sample::Index;

type Rows = Vec<Vec<Option<u8>>>;
type Measured = Result<f64, Undefined>;

const CATEGORIES: u8 = 4;

fn rows() -> impl Strategy<Value = Rows> {
    (1..=5_usize).prop_flat_map(|raters| {
        let rating = prop::option::weighted(0.7, 0..CATEGORIES);
        prop::collection::vec(prop::collection::vec(rating, raters), 0..12)
    })
}

fn item() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(0..CATEGORIES, 0..6)
}

fn study(rows: &Rows) -> Ratings<u8> {
    Ratings::from_rows(rows.iter().cloned()).unwrap()
}

/// Every nominal measure of a tally, with `q` categories to choose from.
fn measures_of_tally<C: Ord + Clone>(tally: &NominalTally<C>, q: usize) -> [Measured; 7] {
    let value = |c: Result<agreement::Coefficient, Undefined>| c.map(|c| c.value);
    [
        value(percent_by_item(tally)),
        value(percent_by_rating(tally)),
        value(percent_unanimous(tally)),
        value(randolph_kappa(tally, q)),
        value(fleiss_kappa(tally)),
        value(gwet_ac1(tally, q)),
        alpha_nominal(tally).map(|alpha| alpha.value),
    ]
}

fn measures<C: Ord + Clone>(study: &Ratings<C>) -> Vec<Measured> {
    let mut values = measures_of_tally(&study.nominal_tally(), usize::from(CATEGORIES)).to_vec();
    values.push(krippendorff_alpha(&study.coincidences(), &Nominal).map(|alpha| alpha.value));
    values.push(hubert_kappa(study).map(|kappa| kappa.value));
    // Light's kappa gives the reason of the first pair that has none.
    values.push(light_kappa(study).map_err(|_| Undefined::NoSharedPositions));
    values
}

fn near(a: Measured, b: Measured) -> bool {
    match (a, b) {
        (Ok(a), Ok(b)) => (a - b).abs() < 1e-12,
        (a, b) => a == b,
    }
}

proptest! {
    #[test]
    fn order_of_items_does_not_matter(
        (rows, shuffled) in rows().prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle())),
    ) {
        prop_assert_eq!(measures(&study(&rows)), measures(&study(&shuffled)));
    }

    #[test]
    fn order_of_raters_does_not_matter(rows in rows(), places in Just([0, 1, 2, 3, 4]).prop_shuffle()) {
        let study = study(&rows);
        prop_assert_eq!(measures(&study.with_raters(&places)), measures(&study));
    }

    #[test]
    fn names_of_categories_do_not_matter(
        rows in rows(),
        names in Just(["D", "C", "B", "A"]).prop_shuffle(),
    ) {
        let named = rows.iter().map(|row| row.iter().map(|c| c.map(|c| names[usize::from(c)])));
        let named = Ratings::from_rows(named).unwrap();
        prop_assert_eq!(measures(&named), measures(&study(&rows)));
    }

    #[test]
    fn items_without_ratings_and_declared_categories_do_not_matter(rows in rows()) {
        let raters = rows.first().map_or(0, Vec::len);
        let padded: Rows = rows.iter().cloned().chain([vec![None; raters]]).collect();
        let declared = study(&padded).declaring(10..20);
        prop_assert_eq!(declared.categories().len(), study(&rows).categories().len() + 10);
        if !rows.is_empty() {
            prop_assert_eq!(measures(&declared), measures(&study(&rows)));
        }
    }

    #[test]
    fn two_raters_are_a_case_of_many(pairs in prop::collection::vec((0..4_u8, 0..4_u8), 0..30)) {
        let table: Contingency<u8> = pairs.iter().copied().collect();
        let study = study(&pairs.iter().map(|&(a, b)| vec![Some(a), Some(b)]).collect());
        let tally = NominalTally::from(&table);
        if !pairs.is_empty() {
            prop_assert_eq!(&study.contingency(0, 1), &table);
        }
        prop_assert_eq!(&study.nominal_tally(), &tally);
        prop_assert_eq!(study.coincidences(), CoincidenceTally::from(&table));

        let value = |c: Result<agreement::Coefficient, Undefined>| c.map(|c| c.value);
        prop_assert!(near(value(percent_by_item(&tally)), value(percent(&table))));
        prop_assert!(near(value(percent_unanimous(&tally)), value(percent(&table))));
        prop_assert!(near(value(fleiss_kappa(&tally)), value(scott_pi(&table))));
        prop_assert!(near(value(randolph_kappa(&tally, 4)), value(bennett_s(&table, 4))));
        let alpha = alpha_nominal(&tally).map(|alpha| alpha.value);
        prop_assert!(near(alpha, value(krippendorff_alpha_nominal(&table))));
        if !pairs.is_empty() {
            prop_assert!(near(value(hubert_kappa(&study)), value(cohen_kappa(&table))));
            prop_assert!(near(light_kappa(&study), value(cohen_kappa(&table))));
        }
    }

    /// α = 1 − (1 − π)(2n − 1) / 2n, where π is Scott's.
    #[test]
    fn alpha_of_two_raters_is_scotts_pi_corrected_for_the_sample(
        pairs in prop::collection::vec((0..4_u8, 0..4_u8), 1..30),
    ) {
        let table: Contingency<u8> = pairs.into_iter().collect();
        let labels = 2.0 * f64::from(u32::try_from(table.total()).unwrap());
        let alpha = alpha_nominal(&NominalTally::from(&table)).map(|alpha| alpha.value);
        let closed = scott_pi(&table).map(|pi| 1.0 - (1.0 - pi.value) * (labels - 1.0) / labels);
        prop_assert!(near(alpha, closed));
    }

    #[test]
    fn kappa_is_pi_if_both_use_the_categories_equally_often(
        (said, also) in prop::collection::vec(0..4_u8, 1..30)
            .prop_flat_map(|said| (Just(said.clone()), Just(said).prop_shuffle())),
    ) {
        let table: Contingency<u8> = said.into_iter().zip(also).collect();
        let value = |c: Result<agreement::Coefficient, Undefined>| c.map(|c| c.value);
        prop_assert!(near(value(cohen_kappa(&table)), value(scott_pi(&table))));
    }

    #[test]
    fn values_keep_within_their_ranges(rows in rows()) {
        let study = study(&rows);
        for value in measures(&study).into_iter().flatten() {
            prop_assert!(value.is_finite() && value <= 1.0, "{value}");
        }
        let tally = study.nominal_tally();
        let percents = [percent_by_item(&tally), percent_by_rating(&tally), percent_unanimous(&tally)];
        for percent in percents.into_iter().flatten() {
            prop_assert!((0.0..=1.0).contains(&percent.value));
        }
    }

    #[test]
    fn alpha_is_the_mean_of_its_items_weighted_by_their_ratings(rows in rows()) {
        let tally = study(&rows).coincidences();
        if let Ok(alpha) = krippendorff_alpha(&tally, &Interval) {
            let (mut sum, mut weights) = (0.0, 0.0);
            for row in &rows {
                let item: Item<u8> = row.iter().flatten().copied().collect();
                if let Ok(of_item) = alpha_of_item(&item, &tally, &Interval) {
                    let weight = f64::from(u32::try_from(item.ratings()).unwrap());
                    sum += weight * of_item.value;
                    weights += weight;
                }
            }
            prop_assert!((sum / weights - alpha.value).abs() < 1e-9);
        }
    }

    #[test]
    fn sets_of_one_label_are_labels(rows in rows()) {
        let sets = rows.iter().map(|row| row.iter().map(|c| c.map(|c| BTreeSet::from([c]))));
        let sets = Ratings::from_rows(sets).unwrap().coincidences();
        let plain = alpha_nominal(&study(&rows).nominal_tally()).map(|alpha| alpha.value);
        prop_assert_eq!(krippendorff_alpha(&sets, &Jaccard).map(|a| a.value), plain);
        prop_assert_eq!(krippendorff_alpha(&sets, &Masi).map(|a| a.value), plain);
    }

    #[test]
    fn merging_tallies_is_concatenating_studies(first in rows(), second in rows()) {
        let mut merged = study(&first).coincidences();
        let added = study(&second).coincidences();
        merged.merge(&added).unwrap();

        let mut both = study(&first).coincidences();
        for row in &second {
            both.add(&row.iter().flatten().copied().collect()).unwrap();
        }
        prop_assert_eq!(&merged, &both);
        prop_assert_eq!(merged.subtract(&added), Ok(()));
        prop_assert_eq!(merged, study(&first).coincidences());
    }

    #[test]
    fn any_history_of_changes_ends_where_a_recount_does(
        history in prop::collection::vec((any::<Index>(), 0..3_u8, item()), 0..60),
    ) {
        let mut live = CoincidenceTally::new();
        let mut items: Vec<Vec<u8>> = Vec::new();
        for (index, change, ratings) in history {
            let after = ratings.iter().copied().collect();
            if change == 0 || items.is_empty() {
                live.add(&after).unwrap();
                items.push(ratings);
            } else {
                let index = index.index(items.len());
                let before: Item<u8> = items[index].iter().copied().collect();
                if change == 1 {
                    live.replace(&before, &after).unwrap();
                    items[index] = ratings;
                } else {
                    live.remove(&before).unwrap();
                    items.swap_remove(index);
                }
            }
        }
        let mut recount = CoincidenceTally::new();
        for ratings in &items {
            recount.add(&ratings.iter().copied().collect()).unwrap();
        }
        prop_assert_eq!(&live, &recount);
        let q = usize::from(CATEGORIES);
        prop_assert_eq!(
            measures_of_tally(live.nominal(), q), measures_of_tally(recount.nominal(), q),
        );
        prop_assert_eq!(
            krippendorff_alpha(&live, &Interval), krippendorff_alpha(&recount, &Interval),
        );
    }

    #[test]
    fn removing_what_was_never_counted_changes_nothing(kept in rows(), taken in item()) {
        let mut tally = study(&kept).coincidences();
        let before = tally.clone();
        if tally.remove(&taken.iter().copied().collect()).is_err() {
            prop_assert_eq!(&tally, &before);
        }
        let mut nominal = before.nominal().clone();
        let more = Item::from_counts([(0, 100), (1, 100)]).unwrap();
        prop_assert_eq!(nominal.remove(&more), Err(TallyError::NotCounted));
        prop_assert_eq!(&nominal, before.nominal());
    }

    #[test]
    fn long_form_is_the_study_without_its_empty_items(rows in rows()) {
        let lines = rows.iter().enumerate().flat_map(|(item, row)| {
            let rated = row.iter().enumerate();
            rated.filter_map(move |(rater, rating)| Some((item, rater, (*rating)?)))
        });
        let long = LongForm::from_ratings(lines).unwrap();
        prop_assert_eq!(long.ratings.nominal_tally(), study(&rows).nominal_tally());
        for (place, &item) in long.items.iter().enumerate() {
            for (column, &rater) in long.raters.iter().enumerate() {
                prop_assert_eq!(long.ratings.rating(place, column), rows[item][rater].as_ref());
            }
        }
    }

    #[test]
    fn repeated_items_count_as_often_as_they_are_repeated(
        patterns in prop::collection::vec((prop::collection::vec(prop::option::of(0..3_u8), 3), 0..4_u64), 1..6),
    ) {
        let repeated = patterns.iter().flat_map(|(row, times)| (0..*times).map(|_| row.clone()));
        let repeated = Ratings::from_rows(repeated).unwrap();
        let weighted = Ratings::from_patterns(patterns).unwrap();
        prop_assert_eq!(weighted.coincidences(), repeated.coincidences());
        prop_assert_eq!(weighted.contingency(0, 2), repeated.contingency(0, 2));
    }
}
