//! How sure a value is: of κ by a formula, of the other measures by resampling, off the request.

use agreement::{
    Contingency,
    inference::{Level, cohen_kappa_estimate},
};
use domain::{Confidence, LabelSet, Measure, Measured, MemberId, NoInterval};

use crate::live::{Answering, Counted, Subject, Tallies, is_immediate};

/// The 95 % interval of a pair's value, where there is one.
pub(crate) fn of_pair(
    (question, tallies): (&dyn Answering, &Tallies),
    (first, second): (MemberId, MemberId),
    counted: &Counted,
    measured: Measured,
    measure: Measure,
) -> Confidence {
    if measured.value().is_none() {
        return Confidence::None(NoInterval::NoValue);
    }
    if is_immediate(measure) {
        return kappa_confidence(&counted.tally.table);
    }
    if counted.documents < 2 {
        return Confidence::None(NoInterval::OneDocument);
    }
    question.answer(tallies, Subject::pair(first, second))
}

/// The 95 % interval of κ, by formula.
pub(crate) fn kappa_confidence(table: &Contingency<LabelSet>) -> Confidence {
    cohen_kappa_estimate(table).map_or(Confidence::None(NoInterval::NoValue), |estimate| {
        let interval = estimate.interval(Level::P95);
        Confidence::Interval { lower: interval.lower, upper: interval.upper }
    })
}
