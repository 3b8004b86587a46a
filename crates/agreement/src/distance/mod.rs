//! Distances between categories: how much a disagreement weighs.
//!
//! Krippendorff's alpha and the weighted kappa take any of them, or a closure.

mod scales;
pub(crate) mod score;
mod sets;

pub use scales::{Circular, Interval, Linear, Ordinal, Polar, Ratio};
pub use sets::{Jaccard, Masi, MasiProduct, SetThirds};

/// How much it weighs that one rater said `a` and another `b`: `δ²(a, b)` for alpha, `v(a, b)` for
/// the weighted kappa.
///
/// A distance is symmetric, 0 between equal categories, and never below 0. It is asked for once
/// per pair of unequal categories, the smaller first; an answer that is infinite, negative or not
/// a number makes the measure undefined ([`Undefined::NoDistance`](crate::Undefined::NoDistance)).
///
/// A closure is a distance:
/// ```
/// # use agreement::{CoincidenceTally, Item, krippendorff_alpha};
/// let mut tally = CoincidenceTally::new();
/// for pair in [["big", "big"], ["big", "huge"], ["small", "small"], ["small", "big"]] {
///     tally.add(&Item::from_iter(pair))?;
/// }
/// let close = |a: &&str, b: &&str| if (*a, *b) == ("big", "huge") { 0.5 } else { 1.0 };
/// let alpha = krippendorff_alpha(&tally, &close)?;
/// assert_eq!(alpha.observed, 0.375);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Distance<C> {
    /// The distance of two unequal categories.
    fn between(&self, a: &C, b: &C) -> f64;

    /// A coordinate, if the distance is the squared difference of coordinates.
    ///
    /// With it an expected disagreement takes one pass over the categories instead of one over
    /// their pairs, and no digit of the square is lost.
    fn coordinate(&self, _category: &C) -> Option<f64> {
        None
    }

    /// A place on a line, if the distance is the difference of places, whichever is larger.
    ///
    /// With it, too, an expected disagreement takes a sort of the categories.
    fn place(&self, _category: &C) -> Option<f64> {
        None
    }

    /// The distance of any two unequal categories, if it is the same for all.
    ///
    /// With it, too, an expected disagreement takes one pass over the categories.
    fn constant(&self) -> Option<f64> {
        None
    }
}

impl<C, F: Fn(&C, &C) -> f64> Distance<C> for F {
    fn between(&self, a: &C, b: &C) -> f64 {
        self(a, b)
    }
}

/// Any disagreement weighs 1.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nominal;

impl<C: PartialEq> Distance<C> for Nominal {
    fn between(&self, a: &C, b: &C) -> f64 {
        if a == b { 0.0 } else { 1.0 }
    }

    fn constant(&self) -> Option<f64> {
        Some(1.0)
    }
}

/// A distance of what the categories stand for: scores, ranks, sets.
///
/// ```
/// # use agreement::{By, Distance, Interval, Number};
/// let grade = |label: &&str| Number::from(if *label == "poor" { 1 } else { 4 });
/// assert_eq!(By(grade, Interval).between(&"poor", &"good"), 9.0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct By<F, D>(
    /// What a category stands for.
    pub F,
    /// The distance between such things.
    pub D,
);

impl<C, S, F: Fn(&C) -> S, D: Distance<S>> Distance<C> for By<F, D> {
    fn between(&self, a: &C, b: &C) -> f64 {
        self.1.between(&(self.0)(a), &(self.0)(b))
    }

    fn coordinate(&self, category: &C) -> Option<f64> {
        self.1.coordinate(&(self.0)(category))
    }

    fn place(&self, category: &C) -> Option<f64> {
        self.1.place(&(self.0)(category))
    }
}
