//! Intervals that follow at once: from a table by formula, from resamples by their percentiles.

use crate::{Scores, measuring::pair_correlation_confidence};
use agreement::{
    Contingency, Undefined,
    inference::{Bootstrap, Level, cohen_kappa_estimate},
};
use domain::{Confidence, LabelSet, Measure, NoInterval, PositionKind, Switches};

/// Whether the interval of κ follows from its table at once. The formula of κ takes positions as independent:
/// tokens of a span are far from that, and what is of them is resampled by document.
pub const fn is_immediate(switches: Switches) -> bool {
    matches!((switches.measure, switches.policy.positions()), (Measure::Kappa, PositionKind::Exact))
}

/// The 95 % interval that follows from a table at once, of κ where that [`is_immediate`] and of intraclass
/// correlations; none where it is for resamples to say.
pub fn confidence_by_formula(
    table: &Contingency<LabelSet>,
    switches: Switches,
    scores: &Scores,
) -> Option<Confidence> {
    if is_immediate(switches) {
        return Some(kappa_confidence(table));
    }
    pair_correlation_confidence(table, switches.measure, scores)
}

fn kappa_confidence(table: &Contingency<LabelSet>) -> Confidence {
    cohen_kappa_estimate(table).map_or(Confidence::None(NoInterval::NoValue), |estimate| {
        let interval = estimate.interval(Level::P95);
        Confidence::Interval { lower: interval.lower, upper: interval.upper }
    })
}

/// The 95 % percentile interval of what was resampled, or why there is none.
pub fn interval(resampled: &Result<Bootstrap, Undefined>) -> Confidence {
    match resampled {
        Ok(bootstrap) => {
            let interval = bootstrap.percentile(Level::P95);
            Confidence::Interval { lower: interval.lower, upper: interval.upper }
        }
        Err(Undefined::TooFewUnits) => Confidence::None(NoInterval::OneDocument),
        Err(Undefined::TooFewResamples) => Confidence::None(NoInterval::NoResamples),
        Err(_) => Confidence::None(NoInterval::NoValue),
    }
}
