//! Cohen (1960), A coefficient of agreement for nominal scales: the tables of pages 37 and 45.
#![expect(clippy::float_cmp, reason = "integers divided once are as exact as the literals")]

mod crossed;
mod printed;

use agreement::{cohen_kappa, kappa_steps, percent};
use crossed::crossed;
use printed::assert_prints;

#[test]
fn kappa_falls_below_zero_when_raters_agree_less_than_by_chance() {
    let page_37 = crossed(["1", "2", "3"], [[25, 12, 3], [13, 2, 15], [12, 16, 2]]);
    let kappa = cohen_kappa(&page_37).unwrap();
    assert_eq!((kappa.observed, kappa.expected), (0.29, 0.35));
    assert_prints(Ok(kappa), "-0.092");
}

#[test]
fn kappa_and_its_steps_match_page_45() {
    let page_45 = crossed(["1", "2", "3"], [[88, 14, 18], [10, 40, 10], [2, 6, 12]]);
    assert_prints(percent(&page_45), "0.70");
    assert_prints(cohen_kappa(&page_45), "0.492");

    let steps = kappa_steps(&page_45).unwrap();
    assert_eq!((steps.n, steps.agreements), (200, 140));
    assert_eq!(steps.per_category, [("1", 120, 100), ("2", 60, 60), ("3", 20, 40)]);
    assert_eq!((steps.observed, steps.expected), (0.70, 0.41));
    assert_eq!(steps.kappa, cohen_kappa(&page_45).unwrap().value);
}
