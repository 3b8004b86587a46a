//! Jackknife and bootstrap: what they must agree with, and that seeds decide everything.

use agreement::inference::{
    Level, PairUnits, Resampling, bootstrap, cohen_kappa_estimate, jackknife,
};
use agreement::{Contingency, Undefined, cohen_kappa, krippendorff_alpha_nominal};
use proptest::prelude::*;

type Judgements = Vec<(u8, u8)>;

const FEW: Resampling = Resampling { resamples: 200, seed: 7 };

fn table(judgements: &[(u8, u8)], times: &[u32]) -> Contingency<u8> {
    let mut table = Contingency::new();
    for (&(row, column), &count) in judgements.iter().zip(times) {
        table.add_count(row, column, count.into());
    }
    table
}

fn kappa<C: Ord + Clone>(table: &Contingency<C>) -> Result<f64, Undefined> {
    Ok(cohen_kappa(table)?.value)
}

fn alpha<C: Ord + Clone>(table: &Contingency<C>) -> Result<f64, Undefined> {
    Ok(krippendorff_alpha_nominal(table)?.value)
}

/// 40, 15, 20, 25 as in figure 2 of Krenn, Evert and Zinsmeister (2004).
fn figure_2() -> Contingency<u8> {
    let mut table = Contingency::new();
    for (row, column, count) in [(0, 0, 40), (0, 1, 15), (1, 0, 20), (1, 1, 25)] {
        table.add_count(row, column, count);
    }
    table
}

fn judgements() -> impl Strategy<Value = Judgements> {
    prop::collection::vec((0..3_u8, 0..3_u8), 2..40)
}

#[test]
fn resampled_errors_of_kappa_are_near_the_formula() {
    let table = figure_2();
    let formula = cohen_kappa_estimate(&table).unwrap().standard_error;
    let units = PairUnits::items(&table);
    let jackknifed = units.jackknife(kappa).unwrap();
    let resampled = units.bootstrap(Resampling::default(), kappa).unwrap();
    assert!((jackknifed.standard_error() / formula - 1.0).abs() < 0.02);
    assert!((resampled.standard_error() / formula - 1.0).abs() < 0.05);
    let normal = cohen_kappa_estimate(&table).unwrap().interval(Level::P95);
    let corrected = resampled.bias_corrected(Level::P95, &jackknifed).unwrap();
    for interval in [resampled.percentile(Level::P95), corrected] {
        assert!((interval.lower - normal.lower).abs() < 0.03, "{interval:?}");
        assert!((interval.upper - normal.upper).abs() < 0.03, "{interval:?}");
    }
}

#[test]
fn documents_that_vary_as_wholes_widen_the_interval() {
    // Half of the documents agree throughout, half never.
    let document = |agree: bool| {
        let mut table = Contingency::new();
        table.add_count(0, u8::from(!agree), 10);
        table.add_count(1, u8::from(agree), 10);
        table
    };
    let documents: Vec<_> = (0..20).map(|number| document(number % 2 == 0)).collect();
    let mut all = Contingency::new();
    for document in &documents {
        all.merge(document);
    }
    let by_document = PairUnits::documents(&documents).bootstrap(FEW, kappa).unwrap();
    let by_item = PairUnits::items(&all).bootstrap(FEW, kappa).unwrap();
    assert!((by_document.value() - by_item.value()).abs() < 1e-15);
    assert!(by_document.standard_error() > 3.0 * by_item.standard_error());
}

#[test]
fn numbers_of_a_seed_are_the_same_everywhere() {
    let resampled = PairUnits::items(&figure_2()).bootstrap(FEW, kappa).unwrap();
    let interval = resampled.percentile(Level::P95);
    let bits = [interval.lower, interval.upper].map(|end| format!("{end:.15}"));
    assert_eq!(bits, ["0.058852431000598", "0.435158250654203"]);
}

#[test]
fn resamples_without_a_value_are_left_out_and_counted() {
    // Of two items one is drawn twice in half of the resamples: one category, no kappa.
    let table = Contingency::from_iter([("a", "a"), ("b", "b")]);
    let resampled = PairUnits::items(&table).bootstrap(FEW, kappa).unwrap();
    let undefined = usize::try_from(resampled.undefined()).unwrap();
    assert_eq!(resampled.replicates().len() + undefined, 200);
    assert!((80..120).contains(&resampled.undefined()));
    assert!(resampled.replicates().iter().all(|&value| (value - 1.0).abs() < 1e-15));
    assert_eq!(
        PairUnits::items(&table).jackknife(kappa),
        Err(Undefined::TooFewResamples),
        "without either item there is one category"
    );
}

#[test]
fn perfect_agreement_has_an_interval_of_no_width() {
    let table = Contingency::from_iter([("a", "a"), ("b", "b"), ("a", "a"), ("b", "b")]);
    let units = PairUnits::items(&table);
    let resampled = units.bootstrap(FEW, kappa).unwrap();
    let corrected = resampled.bias_corrected(Level::P95, &units.jackknife(kappa).unwrap()).unwrap();
    for interval in [resampled.percentile(Level::P95), corrected] {
        assert!((interval.lower - 1.0).abs() < 1e-15 && interval.width() < 1e-15);
    }
}

#[test]
fn too_few_units_and_no_resamples_have_reasons() {
    let one = Contingency::from_iter([("a", "b")]);
    let none = Resampling { resamples: 0, seed: 0 };
    assert_eq!(PairUnits::items(&one).bootstrap(FEW, kappa), Err(Undefined::TooFewUnits));
    assert_eq!(PairUnits::items(&one).jackknife(kappa), Err(Undefined::TooFewUnits));
    assert_eq!(
        PairUnits::items(&figure_2()).bootstrap(none, kappa),
        Err(Undefined::TooFewResamples)
    );
    assert_eq!(bootstrap(1, FEW, |_| Ok(0.0)), Err(Undefined::TooFewUnits));
    assert_eq!(jackknife(1, |_| Ok(0.0)), Err(Undefined::TooFewUnits));
    let empty = PairUnits::items(&Contingency::<u8>::new());
    assert!(empty.is_empty());
    assert_eq!(empty.bootstrap(FEW, kappa), Err(Undefined::NoSharedPositions));
}

#[test]
fn jackknife_leaves_out_what_is_undefined_and_counts_it() {
    let jackknife = jackknife(3, |times| {
        if times[0] == 0 { Err(Undefined::OneCategory) } else { Ok(f64::from(times[1])) }
    })
    .unwrap();
    assert_eq!(jackknife.undefined(), 1);
    assert!((jackknife.standard_error() - 0.5).abs() < 1e-15);
}

/// Efron and Tibshirani (1993), table 14.1 and section 14.2: the variance of the spatial test A.
#[test]
fn efron_tibshirani_1993_spatial_test() {
    let a = [
        48.0, 36.0, 20.0, 29.0, 42.0, 42.0, 20.0, 42.0, 22.0, 41.0, 45.0, 14.0, 6.0, 0.0, 33.0,
        28.0, 34.0, 4.0, 32.0, 24.0, 47.0, 41.0, 24.0, 26.0, 30.0, 41.0_f64,
    ];
    let variance = |times: &[u32]| {
        let n: f64 = times.iter().map(|&count| f64::from(count)).sum();
        let mean = a.iter().zip(times).map(|(x, &t)| x * f64::from(t)).sum::<f64>() / n;
        Ok(a.iter().zip(times).map(|(x, &t)| (x - mean).powi(2) * f64::from(t)).sum::<f64>() / n)
    };
    let resampled = bootstrap(a.len(), Resampling { resamples: 2_000, seed: 1 }, variance).unwrap();
    let jackknifed = jackknife(a.len(), variance).unwrap();
    assert!((resampled.value() - 171.5).abs() < 0.05);
    let percentile = resampled.percentile(Level::P90);
    let corrected = resampled.bias_corrected(Level::P90, &jackknifed).unwrap();
    // Printed, of 2,000 other resamples: (100.8, 233.9) and (115.8, 259.6).
    assert!((percentile.lower - 100.8).abs() < 4.0 && (percentile.upper - 233.9).abs() < 5.0);
    assert!((corrected.lower - 115.8).abs() < 5.0 && (corrected.upper - 259.6).abs() < 8.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn fast_jackknife_equals_leaving_each_item_out(judgements in judgements()) {
        let slow = jackknife(judgements.len(), |times| alpha(&table(&judgements, times)));
        let all = vec![1; judgements.len()];
        let fast = PairUnits::items(&table(&judgements, &all)).jackknife(alpha);
        match (slow, fast) {
            (Ok(slow), Ok(fast)) => {
                prop_assert_eq!(slow.undefined(), fast.undefined());
                prop_assert!((slow.standard_error() - fast.standard_error()).abs() < 1e-12);
                prop_assert!((slow.bias() - fast.bias()).abs() < 1e-12);
            }
            (slow, fast) => prop_assert_eq!(slow.is_err(), fast.is_err()),
        }
    }

    #[test]
    fn documents_of_one_item_are_items(judgements in judgements()) {
        let documents: Vec<_> =
            judgements.iter().map(|&pair| Contingency::from_iter([pair])).collect();
        let units = PairUnits::documents(&documents);
        let times = vec![1; judgements.len()];
        let slow = bootstrap(judgements.len(), FEW, |times| kappa(&table(&judgements, times)));
        prop_assert_eq!(units.bootstrap(FEW, kappa), slow);
        let items = PairUnits::items(&table(&judgements, &times));
        prop_assert_eq!(units.len(), items.len());
        let errors = |units: &PairUnits<u8>| {
            units.jackknife(kappa).map(|found| (found.standard_error() * 1e10).round())
        };
        prop_assert_eq!(errors(&units), errors(&items));
    }

    #[test]
    fn seed_decides_and_order_of_items_does_not_matter(
        (judgements, shuffled) in judgements()
            .prop_flat_map(|items| (Just(items.clone()), Just(items).prop_shuffle())),
        seed in any::<u64>(),
    ) {
        let resampling = Resampling { resamples: 50, seed };
        let times = vec![1; judgements.len()];
        let of = |judgements: &Judgements| {
            PairUnits::items(&table(judgements, &times)).bootstrap(resampling, alpha)
        };
        prop_assert_eq!(of(&judgements), of(&judgements));
        prop_assert_eq!(of(&judgements), of(&shuffled));
    }

    #[test]
    fn intervals_widen_with_the_level_and_stay_among_the_replicates(judgements in judgements()) {
        let times = vec![1; judgements.len()];
        if let Ok(found) = PairUnits::items(&table(&judgements, &times)).bootstrap(FEW, kappa) {
            let [narrow, wide] = [Level::P90, Level::P99].map(|level| found.percentile(level));
            prop_assert!(wide.lower <= narrow.lower && narrow.upper <= wide.upper);
            prop_assert!(found.replicates().is_sorted());
            prop_assert!(found.replicates()[0] <= wide.lower);
            prop_assert!(wide.upper <= *found.replicates().last().unwrap());
        }
    }
}
