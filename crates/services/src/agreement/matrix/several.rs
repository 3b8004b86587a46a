//! All labelers at once: the measures of several raters, under the switches of the matrix.

use agreement::{ManyMeasure, NominalTally, Undefined};
use domain::{
    Confidence, LabelSet, Measured, NoInterval, Rater, Role, SeveralMeasure, SeveralRow,
    SeveralView, Switches, UndefinedReason,
};

use crate::agreement::by_role;
use crate::live::{Answering, Subject, Tallies};

/// The table under the matrix; none where there are no two labelers.
pub(crate) fn several(
    (question, tallies): (&dyn Answering, &Tallies),
    raters: &[Rater],
    switches: Switches,
) -> Option<SeveralView> {
    let labelers = by_role(raters, Role::Labeler).count();
    if labelers < 2 {
        return None;
    }
    let counted = tallies.several(switches);
    let row = |&measure| {
        let measured = measured(&counted.tally, counted.documents, measure);
        let confidence = match (measured, counted.documents) {
            (Measured::Undefined(_), _) => Confidence::None(NoInterval::NoValue),
            (_, 0 | 1) => Confidence::None(NoInterval::OneDocument),
            _ => question.answer(tallies, Subject::Labelers(measure)),
        };
        SeveralRow { measure, measured, confidence }
    };
    Some(SeveralView {
        labelers: u64::try_from(labelers).unwrap_or(u64::MAX),
        n: counted.tally.items(),
        documents: counted.documents,
        rows: SeveralMeasure::ALL.iter().map(row).collect(),
        unitizing: question.units(tallies),
    })
}

/// Value, observed and expected agreement of a tally.
type Parts = (f64, f64, f64);

/// The measure of a tally.
pub(crate) fn coefficient<C: Ord + Clone>(
    tally: &NominalTally<C>,
    measure: SeveralMeasure,
) -> Result<Parts, Undefined> {
    named(measure).coefficient(tally).map(|c| (c.value, c.observed, c.expected))
}

/// A measure of several raters as the crate of the formulas calls it.
const fn named(measure: SeveralMeasure) -> ManyMeasure {
    match measure {
        SeveralMeasure::FleissKappa => ManyMeasure::FleissKappa,
        SeveralMeasure::Alpha => ManyMeasure::Alpha,
        SeveralMeasure::Percent => ManyMeasure::Percent,
    }
}

/// The measure of what several raters said in so many documents, or the reason why there is none.
pub(crate) fn measured(
    tally: &NominalTally<LabelSet>,
    documents: u64,
    measure: SeveralMeasure,
) -> Measured {
    if documents == 0 {
        return Measured::Undefined(UndefinedReason::NoSharedDocuments);
    }
    match coefficient(tally, measure) {
        Ok((value, observed, expected)) => Measured::Value { value, observed, expected },
        Err(Undefined::OneCategory) => Measured::Undefined(UndefinedReason::OneCategory),
        // Of such a tally there is no other reason; the rest are of other measures.
        Err(_) => Measured::Undefined(UndefinedReason::NoSharedPositions),
    }
}
