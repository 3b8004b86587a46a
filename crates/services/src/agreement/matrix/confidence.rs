//! How sure a value is: of κ by a formula, of the other measures by resampling, off the request.

use domain::{Confidence, Measure, Measured, MemberId, NoInterval};
use live::{Answering, Counted, Subject, Tallies, is_immediate, kappa_confidence};

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
