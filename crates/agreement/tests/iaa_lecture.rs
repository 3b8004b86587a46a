//! The two-rater tables of a lecture on inter-annotator agreement (after Pustejovsky and Stubbs,
//! 2012): equal accuracy, different agreement beyond chance.
#![expect(clippy::float_cmp, reason = "integers divided once are as exact as the literals")]

mod crossed;
mod printed;

use agreement::{cohen_kappa, kappa_steps, percent};
use crossed::crossed;
use printed::assert_prints;

#[test]
fn equal_accuracy_hides_unequal_kappa() {
    let skewed = crossed(["positive", "negative"], [[4, 1], [2, 43]]);
    let balanced = crossed(["positive", "negative"], [[25, 1], [2, 22]]);
    assert_prints(percent(&skewed), "0.9400");
    assert_prints(percent(&balanced), "0.9400");
    assert_prints(cohen_kappa(&skewed), "0.694");
    assert_prints(cohen_kappa(&balanced), "0.880");
}

#[test]
fn more_true_negatives_raise_kappa() {
    let table = crossed(["positive", "negative"], [[25, 1], [2, 172]]);
    assert_prints(percent(&table), "0.985");
    assert_prints(cohen_kappa(&table), "0.935");
}

#[test]
fn two_hundred_fifty_reviews_in_three_categories() {
    let ann_and_bob =
        crossed(["positive", "neutral", "negative"], [[54, 28, 3], [31, 18, 23], [0, 21, 72]]);
    let steps = kappa_steps(&ann_and_bob).unwrap();
    assert_eq!((steps.n, steps.agreements), (250, 144));
    assert_eq!(
        steps.per_category,
        [("negative", 93, 98), ("neutral", 72, 67), ("positive", 85, 85)]
    );
    assert_eq!(steps.observed, 0.5760);
    assert_eq!(format!("{:.4}", steps.expected), "0.3386");
    assert_eq!(format!("{:.4}", steps.kappa), "0.3589");
}

#[test]
fn ten_reviews_in_two_categories() {
    let kappa = cohen_kappa(&crossed(["positive", "negative"], [[3, 2], [1, 4]])).unwrap();
    assert_eq!((kappa.observed, kappa.expected, kappa.value), (0.7, 0.5, 0.4));
}
