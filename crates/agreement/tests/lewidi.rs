//! The formulas of the shared tasks on learning with disagreements (LeWiDi 2023 and 2025), worked out by hand
//! on small items, and laws that hold for all.

use agreement::inference::{Level, Resampling};
use agreement::{
    ByItem, Number, Undefined, cross_entropy, error_rate, is_distribution, manhattan_distance,
    normalised_absolute_distance, wasserstein_distance,
};
use proptest::prelude::*;

fn close(here: f64, there: f64) -> bool {
    (here - there).abs() <= 1e-12 * (1.0 + there.abs())
}

/// Irony of `MultiPICo`: ironic or not, of five, of three and of two people. |0.7 − 0.6| + |0.3 − 0.4| = 0.2;
/// |0 − 1| + |1 − 0| = 2; 0.
#[test]
fn lewidi_2025_average_manhattan_distance() {
    let predicted = [[0.7, 0.3], [0.0, 1.0], [0.5, 0.5]];
    let people = [[0.6, 0.4], [1.0, 0.0], [0.5, 0.5]];
    let items = predicted.iter().zip(&people).map(|(p, t)| manhattan_distance(p, t));
    let found = ByItem::of(items).unwrap();
    assert_eq!(found.items(), 3);
    assert!(close(found.mean(), 2.2 / 3.0));
}

/// Sarcasm from 1 to 6. Two people said 1 and 5, the model expects 2 and 4: half moves by 1, half by 1. All
/// said 6, the model expects 1: everything moves by 5.
#[test]
fn lewidi_2025_average_wasserstein_distance() {
    let places = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let first = wasserstein_distance(
        &[0.0, 0.5, 0.0, 0.5, 0.0, 0.0],
        &[0.5, 0.0, 0.0, 0.0, 0.5, 0.0],
        &places,
    );
    let second = wasserstein_distance(
        &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        &[0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
        &places,
    );
    assert_eq!((first, second), (Ok(1.0), Ok(5.0)));
    assert!(close(ByItem::of([first, second]).unwrap().mean(), 3.0));
}

/// Four people, one of them mispredicted; two, both right: (1/4 + 0) / 2, not 1 of 6.
#[test]
fn lewidi_2025_average_error_rate_weighs_items_the_same() {
    let items = [vec![(1, 1), (0, 1), (0, 0), (0, 0)], vec![(1, 1), (0, 0)], vec![]];
    let found = ByItem::of(items.into_iter().map(error_rate)).unwrap();
    assert_eq!((found.items(), found.mean()), (2, 0.125));
}

/// Paraphrases from −5 to 5, 11 points: (|4 − 5| + |−5 − 5|) / 2 / 11 = 0.5.
#[test]
fn lewidi_2025_average_normalised_absolute_distance() {
    let item = [(4, 5), (-5, 5)].map(|(p, t)| (Number::from(p), Number::from(t)));
    let found = normalised_absolute_distance(item, 11.0).unwrap();
    assert!(close(found, 0.5));
}

/// −(0.75 ln 0.8 + 0.25 ln 0.2), and a category that is ruled out though a quarter chose it.
#[test]
fn lewidi_2023_cross_entropy_with_its_smoothing() {
    let expected = -(0.75 * (0.8_f64 + 1e-9).ln() + 0.25 * (0.2_f64 + 1e-9).ln());
    assert!(close(cross_entropy(&[0.8, 0.2], &[0.75, 0.25]).unwrap(), expected));
    let ruled_out = -(0.75 * (1.0_f64 - 1e-12 + 1e-9).ln() + 0.25 * 1.001e-9_f64.ln());
    assert!(close(cross_entropy(&[1.0, 0.0], &[0.75, 0.25]).unwrap(), ruled_out));
}

#[test]
fn what_is_no_distribution_or_has_no_place_has_a_reason() {
    let (fair, two) = ([0.5, 0.5], [1.0, 2.0]);
    for wrong in [[0.5, 0.4], [1.5, -0.5], [f64::NAN, 1.0], [f64::INFINITY, 0.0]] {
        assert!(!is_distribution(&wrong), "{wrong:?}");
        assert_eq!(manhattan_distance(&wrong, &fair), Err(Undefined::NoDistribution));
        assert_eq!(cross_entropy(&fair, &wrong), Err(Undefined::NoDistribution));
        assert_eq!(wasserstein_distance(&wrong, &fair, &two), Err(Undefined::NoDistribution));
    }
    assert_eq!(manhattan_distance(&[1.0], &fair), Err(Undefined::UndeclaredCategory));
    assert_eq!(wasserstein_distance(&fair, &fair, &[1.0]), Err(Undefined::UndeclaredCategory));
    let nowhere = wasserstein_distance(&fair, &fair, &[1.0, f64::NAN]);
    assert_eq!(nowhere, Err(Undefined::NoDistance));
    let nobody: [(u8, u8); 0] = [];
    assert_eq!(error_rate(nobody), Err(Undefined::NoSharedPositions));
    assert_eq!(normalised_absolute_distance([(1, 2)], 0.0), Err(Undefined::OptionOutOfRange));
    assert_eq!(ByItem::of([]).unwrap_err(), Undefined::NoSharedPositions);
    let reason = ByItem::of([Ok(1.0), Err(Undefined::NoDistance)]).unwrap_err();
    assert_eq!(reason, Undefined::NoDistance);
    let one = ByItem::of([Ok(1.0)]).unwrap().bootstrap(Resampling::default());
    assert_eq!(one.unwrap_err(), Undefined::TooFewUnits);
}

/// Two distributions over the same categories, and where these lie.
fn two() -> impl Strategy<Value = (Vec<f64>, Vec<f64>, Vec<f64>)> {
    let shares = |weights: Vec<u32>| -> Vec<f64> {
        let all = f64::from(weights.iter().sum::<u32>() + 1);
        // One more for the first, so that they are never all 0.
        weights.iter().zip(0..).map(|(w, at)| f64::from(w + u32::from(at == 0)) / all).collect()
    };
    (1..8_usize).prop_flat_map(move |categories| {
        let weights = || prop::collection::vec(0..9_u32, categories);
        let places = prop::collection::vec(-9..9_i32, categories);
        (weights().prop_map(shares), weights().prop_map(shares), places)
            .prop_map(|(p, t, places)| (p, t, places.into_iter().map(f64::from).collect()))
    })
}

fn turned(values: &[f64], by: usize) -> Vec<f64> {
    let mut values = values.to_vec();
    values.rotate_left(by);
    values
}

proptest! {
    #[test]
    fn distances_are_symmetric_bounded_and_0_for_the_same((p, t, places) in two()) {
        let manhattan = manhattan_distance(&p, &t).unwrap();
        let moved = wasserstein_distance(&p, &t, &places).unwrap();
        prop_assert_eq!(manhattan_distance(&p, &t), manhattan_distance(&t, &p));
        prop_assert!(close(moved, wasserstein_distance(&t, &p, &places).unwrap()));
        prop_assert_eq!(manhattan_distance(&p, &p), Ok(0.0));
        prop_assert_eq!(wasserstein_distance(&p, &p, &places), Ok(0.0));
        let longest = places.iter().copied().fold(f64::MIN, f64::max)
            - places.iter().copied().fold(f64::MAX, f64::min);
        prop_assert!((0.0..=2.0 + 1e-12).contains(&manhattan));
        // What has to be moved is half of what lies elsewhere, and goes no further than the scale.
        prop_assert!(moved >= 0.0 && moved <= longest * manhattan / 2.0 + 1e-9);
    }

    #[test]
    fn the_order_of_categories_changes_nothing((p, t, places) in two(), by in 0..7_usize) {
        let by = by % p.len();
        let (p2, t2, places2) = (turned(&p, by), turned(&t, by), turned(&places, by));
        prop_assert_eq!(manhattan_distance(&p, &t), manhattan_distance(&p2, &t2));
        prop_assert_eq!(cross_entropy(&p, &t), cross_entropy(&p2, &t2));
        prop_assert_eq!(
            wasserstein_distance(&p, &t, &places),
            wasserstein_distance(&p2, &t2, &places2)
        );
    }

    /// Gibbs' inequality, but for the smoothing.
    #[test]
    fn nothing_costs_less_than_the_distribution_itself((p, t, _) in two()) {
        let own = cross_entropy(&t, &t).unwrap();
        prop_assert!(cross_entropy(&p, &t).unwrap() >= own - 1e-7);
    }

    #[test]
    fn the_mean_and_its_interval_do_not_depend_on_the_order_of_items(
        values in prop::collection::vec(0.0..2.0_f64, 2..20),
    ) {
        let found = ByItem::of(values.iter().copied().map(Ok)).unwrap();
        let turned = ByItem::of(values.iter().rev().copied().map(Ok)).unwrap();
        prop_assert_eq!(&found, &turned);
        let drawn = found.bootstrap(Resampling { resamples: 200, seed: 7 }).unwrap();
        prop_assert!(close(drawn.value(), found.mean()));
        let interval = drawn.percentile(Level::P95);
        let (low, high) = (values.iter().copied().fold(2.0, f64::min), values.iter().copied().fold(0.0, f64::max));
        prop_assert!(interval.lower >= low - 1e-9 && interval.upper <= high + 1e-9);
    }
}
