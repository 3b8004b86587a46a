//! Intraclass correlations: the published table, and laws for every study.
#![expect(clippy::unwrap_used, reason = "a test that panics has failed")]

use agreement::inference::{Level, intraclass_interval};
use agreement::{
    Intraclass, MeanSquares, Number, Rated, Ratings, Score, Undefined, intraclass_correlation,
};
use proptest::prelude::*;

const ALL: [(Intraclass, Rated); 6] = [
    (Intraclass::OneWay, Rated::Once),
    (Intraclass::Agreement, Rated::Once),
    (Intraclass::Consistency, Rated::Once),
    (Intraclass::OneWay, Rated::ByAll),
    (Intraclass::Agreement, Rated::ByAll),
    (Intraclass::Consistency, Rated::ByAll),
];

/// Shrout and Fleiss (1979), table 2.
const SIX_TARGETS: [[i32; 4]; 6] =
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]];

type Row = Vec<Option<i32>>;

fn squares(rows: &[Row]) -> Result<MeanSquares, Undefined> {
    let study = Ratings::from_rows(rows.iter().cloned()).unwrap();
    MeanSquares::of(&study, Score::score)
}

fn six_targets() -> Vec<Row> {
    SIX_TARGETS.map(|row| row.map(Some).to_vec()).to_vec()
}

#[test]
fn shrout_fleiss_1979_table_4() {
    let squares = squares(&six_targets()).unwrap();
    let rounded = ALL.map(|(model, rated)| {
        format!("{:.2}", intraclass_correlation(&squares, model, rated).unwrap())
    });
    assert_eq!(rounded, ["0.17", "0.29", "0.71", "0.44", "0.62", "0.91"]);
}

/// The intervals that `ICC` of the R package psych prints of the same table (vignette of psych 2.x).
#[test]
fn shrout_fleiss_1979_intervals_as_in_psych() {
    let squares = squares(&six_targets()).unwrap();
    let rounded = ALL.map(|(model, rated)| {
        let interval = intraclass_interval(&squares, model, rated, Level::P95).unwrap();
        format!("{:.3} to {:.3}", interval.lower, interval.upper)
    });
    assert_eq!(
        rounded,
        [
            "-0.133 to 0.723",
            "0.019 to 0.761",
            "0.342 to 0.946",
            "-0.884 to 0.912",
            "0.071 to 0.927",
            "0.676 to 0.986",
        ]
    );
}

#[test]
fn items_that_somebody_has_not_rated_are_left_out_and_counted() {
    let mut rows = six_targets();
    let all = squares(&rows).unwrap();
    rows.insert(2, vec![Some(9), None, Some(1), Some(1)]);
    rows.push(vec![None; 4]);
    assert_eq!(squares(&rows), Ok(MeanSquares { incomplete: 2, ..all }));
}

#[test]
fn undefined_has_its_reason() {
    let row = |ratings: &[i32]| -> Row { ratings.iter().copied().map(Some).collect() };
    assert_eq!(squares(&[row(&[1]), row(&[2])]), Err(Undefined::TooFewRaters));
    assert_eq!(squares(&[row(&[1, 2])]), Err(Undefined::TooFewComplete));
    assert_eq!(
        squares(&[row(&[1, 2]), vec![Some(1), None], vec![None, Some(2)]]),
        Err(Undefined::TooFewComplete)
    );
    let alike = squares(&[row(&[1, 2]), row(&[2, 1]), row(&[1, 2])]).unwrap();
    for (model, rated) in ALL {
        let value = intraclass_correlation(&alike, model, rated);
        assert_eq!(value, Err(Undefined::NoVarianceBetween));
        assert_eq!(intraclass_interval(&alike, model, rated, Level::P95).err(), value.err());
    }
    let huge = Ratings::from_rows([[Some(1), Some(2)], [Some(2), Some(1)]]).unwrap();
    assert_eq!(MeanSquares::of(&huge, |_| 1e200), Err(Undefined::NoDistance));
}

/// Two raters who contradict each other: `R` = ¼, `C` = ¼, `E` = 110¼, and `ICC(A, k)` would be
/// −110 / −54¾ = 2.009.
#[test]
fn no_mean_is_more_than_fully_reliable() {
    let row = |ratings: [i32; 2]| -> Row { ratings.map(Some).to_vec() };
    let squares = squares(&[row([0, 10]), row([11, 0])]).unwrap();
    assert_eq!((squares.items, squares.raters, squares.residual), (0.25, 0.25, 110.25));
    let (model, rated) = (Intraclass::Agreement, Rated::ByAll);
    let value = intraclass_correlation(&squares, model, rated);
    assert_eq!(value, Err(Undefined::NegativeVariance));
    assert_eq!(intraclass_interval(&squares, model, rated, Level::P95).err(), value.err());
    let once = intraclass_correlation(&squares, model, Rated::Once).unwrap();
    assert!(near(once, -110.0 / 0.5), "{once}");
}

/// Two raters, two items: `R` = 4, `C` = 0, `E` = 1, so `ICC(A, 1)` = ¾. Its lower end would be −160.9,
/// and no intraclass correlation of two raters is below −1.
#[test]
fn an_interval_ends_where_coefficients_do() {
    let row = |ratings: [i32; 2]| -> Row { ratings.map(Some).to_vec() };
    let squares = squares(&[row([1, 2]), row([4, 3])]).unwrap();
    for (model, rated) in ALL {
        let interval = intraclass_interval(&squares, model, rated, Level::P95);
        if model == Intraclass::Agreement {
            assert_eq!(interval, Err(Undefined::Unbounded));
        } else {
            assert!(rated == Rated::ByAll || interval.unwrap().lower >= -1.0, "{interval:?}");
        }
    }
    let value = intraclass_correlation(&squares, Intraclass::Agreement, Rated::Once).unwrap();
    assert!(near(value, 0.75), "{value}");
}

/// Thirds have no last digit: their rounding must not look like a difference.
#[test]
fn who_never_differs_agrees_fully() {
    let third = |n: i32| Number::new(f64::from(n) / 3.0);
    let study = Ratings::from_rows([[third(1); 3], [third(4); 3], [third(5); 3]]).unwrap();
    let squares = MeanSquares::of(&study, Score::score).unwrap();
    for (model, rated) in ALL {
        assert_eq!(intraclass_correlation(&squares, model, rated), Ok(1.0));
        let interval = intraclass_interval(&squares, model, rated, Level::P95).unwrap();
        assert_eq!((interval.lower, interval.upper), (1.0, 1.0));
    }
}

/// Up to five raters and twelve items, with ratings missing.
fn study() -> impl Strategy<Value = Vec<Row>> {
    (2..=5_usize).prop_flat_map(|raters| {
        let rating = prop_oneof![1 => Just(None), 9 => (-9..10_i32).prop_map(Some)];
        prop::collection::vec(prop::collection::vec(rating, raters), 2..12)
    })
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs())
}

proptest! {
    #[test]
    fn the_order_of_items_and_raters_does_not_matter(rows in study()) {
        let mut turned: Vec<Row> = rows.iter().rev().cloned().collect();
        for row in &mut turned {
            row.reverse();
        }
        prop_assert_eq!(squares(&rows), squares(&turned));
    }

    #[test]
    fn an_item_that_counts_twice_is_two_items(rows in study()) {
        let twice: Vec<Row> = rows.iter().flat_map(|row| [row.clone(), row.clone()]).collect();
        let patterns = Ratings::from_patterns(rows.into_iter().map(|row| (row, 2))).unwrap();
        prop_assert_eq!(squares(&twice), MeanSquares::of(&patterns, Score::score));
    }

    /// The sums of squares are those of all ratings, cut in parts.
    #[test]
    fn the_parts_add_up(rows in study()) {
        let Ok(squares) = squares(&rows) else { return Ok(()) };
        let complete: Vec<f64> = rows
            .iter()
            .filter(|row| row.iter().all(Option::is_some))
            .flat_map(|row| row.iter().flatten().copied().map(f64::from))
            .collect();
        let (n, k) = (float(squares.complete), float(squares.count));
        let mean = complete.iter().sum::<f64>() / (n * k);
        let all: f64 = complete.iter().map(|x| (x - mean).powi(2)).sum();
        let parts = (n - 1.0) * squares.items + n * (k - 1.0) * squares.within;
        let of_three = (n - 1.0) * squares.items
            + (k - 1.0) * squares.raters
            + (n - 1.0) * (k - 1.0) * squares.residual;
        prop_assert!(near(all, parts) && near(all, of_three), "{all} {parts} {of_three}");
    }

    /// No scale has a right unit or a right zero; only for consistency has no rater one.
    #[test]
    fn units_and_zeros_do_not_matter(rows in study(), unit in 1..9_i32, zero in -99..99_i32) {
        let moved = |of: &dyn Fn(usize) -> i32| -> Vec<Row> {
            let row = |row: &Row| {
                let ratings = row.iter().enumerate();
                ratings.map(|(rater, x)| x.map(|x| unit * x + of(rater))).collect()
            };
            rows.iter().map(row).collect()
        };
        let Ok(plain) = squares(&rows) else { return Ok(()) };
        let together = squares(&moved(&|_| zero)).unwrap();
        let apart = squares(&moved(&|rater| if rater == 0 { zero } else { 0 })).unwrap();
        for (model, rated) in ALL {
            let value = |squares| intraclass_correlation(squares, model, rated);
            match value(&plain) {
                Ok(value_of_plain) => {
                    prop_assert!(near(value_of_plain, value(&together).unwrap()));
                    if model == Intraclass::Consistency {
                        prop_assert!(near(value_of_plain, value(&apart).unwrap()));
                    }
                }
                undefined => prop_assert_eq!(undefined, value(&together)),
            }
        }
    }

    #[test]
    fn values_lie_in_their_intervals_and_those_at_most_at_1(rows in study()) {
        let Ok(squares) = squares(&rows) else { return Ok(()) };
        for (model, rated) in ALL {
            let Ok(value) = intraclass_correlation(&squares, model, rated) else { continue };
            prop_assert!(value <= 1.0, "{model:?} {rated:?} {value}");
            let interval = |level| intraclass_interval(&squares, model, rated, level);
            let (Ok(wide), Ok(narrow)) = (interval(Level::P99), interval(Level::P90)) else {
                prop_assert_eq!(model, Intraclass::Agreement);
                continue;
            };
            prop_assert!(wide.upper <= 1.0);
            prop_assert!(rated == Rated::ByAll || wide.lower >= -1.0 / (float(squares.count) - 1.0));
            // With next to no degrees of freedom the approximation has none of its own.
            if model != Intraclass::Agreement || value > 0.0 {
                prop_assert!(narrow.lower <= value + 1e-9 && value <= narrow.upper + 1e-9);
                prop_assert!(wide.lower <= narrow.lower && narrow.upper <= wide.upper);
            }
        }
    }
}

fn float(count: u64) -> f64 {
    f64::from(u32::try_from(count).unwrap())
}
