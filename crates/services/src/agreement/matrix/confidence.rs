//! How sure a value is: of κ of exact positions by a formula, of the rest by resampling, off the request.

use domain::{Confidence, Measured, MemberId, NoInterval, Switches};
use live::{Answering, Counted, Scores, Subject, Tallies, confidence_by_formula};

/// The 95 % interval of a pair's value, where there is one.
pub(crate) fn of_pair(
    (question, tallies): (&dyn Answering, &Tallies),
    (first, second): (MemberId, MemberId),
    counted: &Counted,
    measured: Measured,
    (switches, scores): (Switches, &Scores),
) -> Confidence {
    if measured.value().is_none() {
        return Confidence::None(NoInterval::NoValue);
    }
    if let Some(confidence) = confidence_by_formula(&counted.tally.table, switches, scores) {
        return confidence;
    }
    if counted.documents < 2 {
        return Confidence::None(NoInterval::OneDocument);
    }
    question.answer(tallies, Subject::pair(first, second))
}
