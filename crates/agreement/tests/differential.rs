//! Every measure against definitions computed slowly, rater by rater, in exact fractions.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "an oracle may stop the tests")]

mod oracle;

use agreement::{
    By, CoincidenceTally, Contingency, Counts, Graded, Interval, Linear, NominalTally, Number,
    Ordinal, Ratings, Scheme, Undefined, Weights, alpha_nominal, alpha_of_category, bennett_s,
    brennan_prediger, cohen_kappa, cohen_kappa_max, fleiss_kappa, fleiss_kappa_of_category,
    gwet_ac1, gwet_ac2, hubert_kappa, krippendorff_alpha, krippendorff_alpha_nominal, light_kappa,
    percent, percent_by_item, percent_by_rating, percent_of_category, randolph_kappa, scott_pi,
    weighted_kappa,
};
use num_rational::BigRational;
use num_traits::ToPrimitive;
use oracle::{Study, fraction};
use proptest::prelude::*;

const CATEGORIES: u8 = 4;

/// Patterns of up to five raters, each counted from 0 to 10^12 times.
fn study() -> impl Strategy<Value = Study> {
    let times = prop_oneof![0..4_u64, Just(1), 1..=1_000_000_000_000_u64];
    (1..=5_usize).prop_flat_map(move |raters| {
        let rating = prop::option::weighted(0.75, 0..CATEGORIES);
        let row = prop::collection::vec(rating, raters);
        prop::collection::vec((row, times.clone()), 0..8).prop_map(Study)
    })
}

/// Tables of two raters, each cell from 0 to 10^12.
fn pairs() -> impl Strategy<Value = Study> {
    let count = prop_oneof![Just(0), 0..20_u64, 0..=1_000_000_000_000_u64];
    prop::collection::vec(count, usize::from(CATEGORIES).pow(2)).prop_map(|counts| {
        let cells =
            (0..CATEGORIES).flat_map(|row| (0..CATEGORIES).map(move |column| [row, column]));
        let patterns = cells.zip(counts).map(|(cell, count)| (cell.map(Some).to_vec(), count));
        Study(patterns.collect())
    })
}

/// Defined alike, and then equal but for the rounding of the last digit.
#[track_caller]
fn assert_same(measured: Result<f64, Undefined>, exact: Option<BigRational>) {
    match (measured, exact) {
        (Ok(measured), Some(exact)) => {
            let exact = exact.to_f64().unwrap();
            let close = (measured - exact).abs() <= 1e-15 * exact.abs().max(1e-3);
            assert!(close, "{measured} is not {exact}");
        }
        (Err(_), None) => {}
        (measured, exact) => panic!("{measured:?} is not {exact:?}"),
    }
}

fn of_rows(study: &Study) -> Ratings<u8> {
    Ratings::from_patterns(study.0.iter().cloned()).unwrap()
}

fn disagreement(graded: Result<Graded, Undefined>) -> Result<f64, Undefined> {
    graded.map(|graded| graded.value)
}

fn squared(a: u8, b: u8) -> BigRational {
    fraction(u64::from(a.abs_diff(b)).pow(2), 1)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn two_raters(exact in pairs()) {
        let table: Contingency<u8> = of_rows(&exact).contingency(0, 1);
        let q = usize::from(CATEGORIES);
        let value = |c: Result<agreement::Coefficient, Undefined>| c.map(|c| c.value);
        assert_same(value(percent(&table)), exact.percent_by_item());
        assert_same(value(bennett_s(&table, q)), exact.free_marginal(q));
        assert_same(value(scott_pi(&table)), exact.fleiss());
        assert_same(value(cohen_kappa(&table)), exact.cohen(0, 1));
        assert_same(value(cohen_kappa_max(&table)), exact.cohen_max(0, 1));
        assert_same(value(krippendorff_alpha_nominal(&table)), exact.alpha(oracle::nominal));
        assert_same(disagreement(weighted_kappa(&table, &Interval)), exact.weighted_kappa(squared));
        let linear = |a: u8, b: u8| fraction(a.abs_diff(b).into(), 1);
        assert_same(disagreement(weighted_kappa(&table, &Linear)), exact.weighted_kappa(linear));
        let tally = NominalTally::from(&table);
        assert_same(alpha_nominal(&tally).map(|a| a.value), exact.alpha(oracle::nominal));
    }

    #[test]
    fn many_raters_and_missing_ratings(exact in study()) {
        let tally = of_rows(&exact).nominal_tally();
        let q = usize::from(CATEGORIES);
        let value = |c: Result<agreement::Coefficient, Undefined>| c.map(|c| c.value);
        assert_same(value(percent_by_item(&tally)), exact.percent_by_item());
        assert_same(value(percent_by_rating(&tally)), exact.percent_by_rating());
        assert_same(value(randolph_kappa(&tally, q)), exact.free_marginal(q));
        assert_same(value(fleiss_kappa(&tally)), exact.fleiss());
        assert_same(value(gwet_ac1(&tally, q)), exact.gwet(q, oracle::identity));
        assert_same(disagreement(alpha_nominal(&tally)), exact.alpha(oracle::nominal));
        for category in 0..CATEGORIES {
            let one = exact.dichotomised(category);
            let used = exact.uses(category);
            let if_used = |value: Option<BigRational>| value.filter(|_| used);
            assert_same(
                value(fleiss_kappa_of_category(&tally, &category)), if_used(one.fleiss()),
            );
            assert_same(
                value(percent_of_category(&tally, &category)), one.percent_by_item(),
            );
            assert_same(
                disagreement(alpha_of_category(&tally, &category)),
                if_used(one.alpha(oracle::nominal)),
            );
        }
    }

    #[test]
    fn graded_disagreement_of_many_raters(exact in study()) {
        let tally: CoincidenceTally<u8> = of_rows(&exact).coincidences();
        let interval = krippendorff_alpha(&tally, &Interval);
        assert_same(disagreement(interval), exact.alpha(squared));
        let in_pairs = krippendorff_alpha(&tally, &|a: &u8, b: &u8| f64::from(a.abs_diff(*b)).powi(2));
        assert_same(disagreement(in_pairs), exact.alpha(squared));
        let ordinal = krippendorff_alpha(&tally, &Ordinal::of(&tally));
        assert_same(disagreement(ordinal), exact.alpha_ordinal());

        // Four categories in thirds are no exact f64: scale the scores instead of the weights.
        let scores = By(|&c: &u8| Number::from(c), Linear);
        let weights = Weights::custom(0..5_u8, |a, b| {
            1.0 - agreement::Distance::between(&scores, a, b) / 4.0
        }).unwrap();
        let in_quarters = |a: u8, b: u8| fraction(4 - u64::from(a.abs_diff(b)), 4);
        let value = |c: Result<agreement::Coefficient, Undefined>| c.map(|c| c.value);
        assert_same(value(gwet_ac2(&tally, &weights)), exact.gwet(5, in_quarters));
        assert_same(value(brennan_prediger(&tally, &weights)), exact.brennan_prediger(5, in_quarters));
        let by_value = Weights::by_value(Scheme::Linear, 0..5_u8).unwrap();
        prop_assert_eq!(by_value, weights);
    }

    #[test]
    fn raters_with_distributions_of_their_own(exact in study()) {
        let study = of_rows(&exact);
        assert_same(hubert_kappa(&study).map(|kappa| kappa.value), exact.hubert());
        assert_same(light_kappa(&study), exact.light());
    }

    #[test]
    fn counts_of_items_are_the_ratings_without_the_raters(exact in study()) {
        let study = of_rows(&exact);
        let counts = Counts::from(&study);
        prop_assert_eq!(counts.nominal_tally(), study.nominal_tally());
        prop_assert_eq!(counts.coincidences(), study.coincidences());
    }
}
