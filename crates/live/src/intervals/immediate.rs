//! Intervals that follow from a table at once, by formula.

use agreement::{
    Contingency,
    inference::{Level, cohen_kappa_estimate},
};
use domain::{Confidence, LabelSet, Measure, NoInterval};

/// Whether a measure's interval follows from its table at once.
pub const fn is_immediate(measure: Measure) -> bool {
    matches!(measure, Measure::Kappa)
}

/// The 95 % interval of κ, by formula.
pub fn kappa_confidence(table: &Contingency<LabelSet>) -> Confidence {
    cohen_kappa_estimate(table).map_or(Confidence::None(NoInterval::NoValue), |estimate| {
        let interval = estimate.interval(Level::P95);
        Confidence::Interval { lower: interval.lower, upper: interval.upper }
    })
}
