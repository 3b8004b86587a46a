//! Distances on scales of numbers and ranks.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use crate::distance::Distance;
use crate::{CoincidenceTally, Score};

/// The difference of two scores: `|a − b|`, the linear weights of the weighted kappa.
#[derive(Clone, Copy, Debug, Default)]
pub struct Linear;

impl<C: Score> Distance<C> for Linear {
    fn between(&self, a: &C, b: &C) -> f64 {
        (a.score() - b.score()).abs()
    }

    fn place(&self, category: &C) -> Option<f64> {
        Some(category.score())
    }
}

/// The squared difference of two scores: `(a − b)²`, Krippendorff's interval metric and the
/// quadratic weights of the weighted kappa.
#[derive(Clone, Copy, Debug, Default)]
pub struct Interval;

impl<C: Score> Distance<C> for Interval {
    fn between(&self, a: &C, b: &C) -> f64 {
        (a.score() - b.score()).powi(2)
    }

    fn coordinate(&self, category: &C) -> Option<f64> {
        Some(category.score())
    }
}

/// Differences relative to the size: `((a − b) / (a + b))²`, Krippendorff's ratio metric.
///
/// Scores of a ratio scale are not negative; two that add up to 0 have no distance.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ratio;

impl<C: Score> Distance<C> for Ratio {
    fn between(&self, a: &C, b: &C) -> f64 {
        let (a, b) = (a.score(), b.score());
        ((a - b) / (a + b)).powi(2)
    }
}

/// Scores on a circle such as the hours of a day: `sin²(π (a − b) / period)`.
#[derive(Clone, Copy, Debug)]
pub struct Circular {
    /// After how much the scale returns to where it began; 24 for hours.
    pub period: f64,
}

impl<C: Score> Distance<C> for Circular {
    fn between(&self, a: &C, b: &C) -> f64 {
        // Reduced first: the sine of a large multiple of π loses digits.
        let turn = ((a.score() - b.score()) / self.period).fract();
        (PI * turn).sin().powi(2)
    }
}

/// Scores between two poles: `(a − b)² / ((a + b − 2 min)(2 max − a − b))`.
///
/// Near a pole the same difference weighs more. Scores beyond the poles have no distance.
#[derive(Clone, Copy, Debug)]
pub struct Polar {
    /// The lower pole.
    pub min: f64,
    /// The upper pole.
    pub max: f64,
}

impl<C: Score> Distance<C> for Polar {
    fn between(&self, a: &C, b: &C) -> f64 {
        let (a, b) = (a.score(), b.score());
        let within = self.min <= a.min(b) && a.max(b) <= self.max;
        let spread = (a + b - 2.0 * self.min) * (2.0 * self.max - a - b);
        if within { (a - b).powi(2) / spread } else { f64::NAN }
    }
}

/// Krippendorff's ordinal metric: how many labels lie between two ranks, squared.
///
/// ```text
/// δ²(c, k) = (n_c / 2 + Σ n_g + n_k / 2)²     g strictly between c and k
/// ```
/// The ranks are those of the categories' order, the counts those of the pairable labels that the
/// tally holds. That is the squared difference of the categories' middle ranks. (The ordinal
/// weights of [`Weights`](crate::Weights) are Gwet's, and another thing.)
#[derive(Clone, Debug)]
pub struct Ordinal<C> {
    middle_ranks: BTreeMap<C, f64>,
}

impl<C: Ord + Clone> Ordinal<C> {
    /// The metric for the labels that a tally counts.
    ///
    /// # Example
    /// Krippendorff (2011), example C: 9, 13, 10, 5 and 3 labels.
    /// ```
    /// # use agreement::{Distance, Ratings};
    /// let (o, a, b, c, d, e) = (None, Some(1), Some(2), Some(3), Some(4), Some(5));
    /// let study = Ratings::from_rows([
    ///     [a, a, o, a], [b, b, c, b], [c, c, c, c], [c, c, c, c], [b, b, b, b], [a, b, c, d],
    ///     [d, d, d, d], [a, a, b, a], [b, b, b, b], [o, e, e, e], [o, o, a, a], [o, o, c, o],
    /// ])?;
    /// let ordinal = agreement::Ordinal::of(&study.coincidences());
    /// assert_eq!(ordinal.between(&1, &3), 506.25);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(tally: &CoincidenceTally<C>) -> Self {
        let mut below = 0_i128;
        let middle_ranks = tally
            .nominal()
            .pairable()
            .into_iter()
            .map(|(category, labels)| {
                let labels = i128::from(labels);
                let twice = 2 * below + labels;
                below += labels;
                (category.clone(), crate::arithmetic::ratio::ratio(twice, 2))
            })
            .collect();
        Self { middle_ranks }
    }
}

impl<C: Ord> Distance<C> for Ordinal<C> {
    fn between(&self, a: &C, b: &C) -> f64 {
        match (self.coordinate(a), self.coordinate(b)) {
            (Some(a), Some(b)) => (a - b).powi(2),
            _ => f64::NAN,
        }
    }

    fn coordinate(&self, category: &C) -> Option<f64> {
        self.middle_ranks.get(category).copied()
    }
}
