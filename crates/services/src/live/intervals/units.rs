//! α_U of all labelers and its interval: whole documents are laid end to end and drawn anew.

use agreement::{
    Undefined, UnitizedDocuments,
    inference::{Resampling, bootstrap},
};
use domain::{Confidence, Measured, NoInterval, Switches, UndefinedReason, Unitizing};

use super::resample::interval;
use crate::live::{Tallies, Unitized};

/// What is resampled, and how much it is.
pub(super) struct UnitsSample {
    unitized: Unitized,
}

impl UnitsSample {
    pub(super) fn of(tallies: &Tallies, switches: Switches) -> Self {
        Self { unitized: tallies.unitized(switches) }
    }
}

/// Value and interval, or why there is none.
pub(super) fn measured(
    UnitsSample { unitized }: &UnitsSample,
    resampling: Resampling,
    is_wanted: impl Fn() -> bool,
) -> Unitizing {
    let many = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
    let told = |measured, confidence| Unitizing {
        labelers: many(unitized.labelers.len()),
        documents: many(unitized.documents.len()),
        characters: unitized.characters(),
        spans: many(unitized.units()),
        measured,
        confidence,
    };
    let none = |reason| told(Measured::Undefined(reason), Confidence::None(NoInterval::NoValue));
    if unitized.labelers.len() < 2 || unitized.documents.is_empty() {
        return none(UndefinedReason::NoDocumentOfAll);
    }
    let Some(continua) = unitized.continua() else {
        return none(UndefinedReason::NoDocumentOfAll);
    };
    let documents = match UnitizedDocuments::new(&continua) {
        Ok(documents) => documents,
        Err(why) => return none(reason(why)),
    };
    let graded = match documents.alpha_u(&vec![1; documents.len()]) {
        Ok(graded) => graded,
        Err(why) => return none(reason(why)),
    };
    let drawn = bootstrap(documents.len(), resampling, |times| {
        // Without a value the rest of the resamples costs nothing.
        if is_wanted() { Ok(documents.alpha_u(times)?.value) } else { Err(Undefined::TooFewUnits) }
    });
    // Disagreement is what the measure speaks of; what is left of 1 is agreement.
    let measured = Measured::Value {
        value: graded.value,
        observed: 1.0 - graded.observed,
        expected: 1.0 - graded.expected,
    };
    told(measured, interval(&drawn))
}

fn reason(why: Undefined) -> UndefinedReason {
    match why {
        Undefined::OverlappingUnits => UndefinedReason::OverlappingSpans,
        Undefined::NoExpectedDisagreement => UndefinedReason::OneCategory,
        Undefined::TooFewRaters => UndefinedReason::NoDocumentOfAll,
        // Of such documents there is no other reason; the rest are of other measures.
        _ => UndefinedReason::NobodyMarked,
    }
}
