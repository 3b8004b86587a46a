//! `α_U` of all labelers and its interval: whole documents are laid end to end and drawn anew.

use std::cell::Cell;

use agreement::{
    Undefined, UnitizedDocuments,
    inference::{Resampling, bootstrap},
};
use domain::{Confidence, Measured, NoInterval, Switches, UndefinedReason, Unitizing, saturating};

use super::confidence::interval;
use crate::{Tallies, Unitized};

/// What is resampled, and how much it is.
pub(super) struct UnitsSample {
    unitized: Unitized,
}

impl UnitsSample {
    pub(super) fn of(tallies: &Tallies, switches: Switches) -> Self {
        Self { unitized: tallies.unitized(switches) }
    }
}

/// Value and interval, or why there is none; nothing if it was given up.
pub(super) fn measured(
    UnitsSample { unitized }: &UnitsSample,
    resampling: Resampling,
    is_wanted: impl Fn() -> bool,
) -> Option<Unitizing> {
    let unitizing = |measured, confidence| Unitizing {
        labelers: saturating(unitized.labelers.len()),
        documents: saturating(unitized.documents.len()),
        characters: unitized.characters(),
        spans: saturating(unitized.units()),
        measured,
        confidence,
    };
    let none = |reason| {
        Some(unitizing(Measured::Undefined(reason), Confidence::None(NoInterval::NoValue)))
    };
    if unitized.labelers.len() < 2 || unitized.documents.is_empty() {
        return none(UndefinedReason::NoDocumentOfAll);
    }
    // Answers about documents are no units of their texts.
    let Some(continua) = unitized.continua() else { return none(UndefinedReason::NobodyMarked) };
    let documents = match UnitizedDocuments::new(&continua) {
        Ok(documents) => documents,
        Err(why) => return none(reason(why)),
    };
    let graded = match documents.alpha_u(&vec![1; documents.len()]) {
        Ok(graded) => graded,
        Err(why) => return none(reason(why)),
    };
    let given_up = Cell::new(false);
    let drawn = bootstrap(documents.len(), resampling, |times| {
        // Once given up, the rest of the resamples costs nothing.
        if given_up.get() || !is_wanted() {
            given_up.set(true);
            return Err(Undefined::TooFewResamples);
        }
        Ok(documents.alpha_u(times)?.value)
    });
    if given_up.get() {
        return None;
    }
    // Disagreement is what the measure speaks of; what is left of 1 is agreement.
    let measured = Measured::Value {
        value: graded.value,
        observed: 1.0 - graded.observed,
        expected: 1.0 - graded.expected,
    };
    Some(unitizing(measured, interval(&drawn)))
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use domain::{
        DocumentId, DocumentRatings, LabelId, MemberId, RatedAssignment, Revision, RoundId, Span,
        WorkState,
    };

    use super::*;

    fn sample() -> UnitsSample {
        let assignment = |document: i64, member| RatedAssignment {
            member: MemberId(member),
            state: WorkState::Saved,
            saved_at: chrono::DateTime::UNIX_EPOCH,
            spans: vec![Span::new(u32::from(member == 1 && document == 2), 5, LabelId(1))],
            choices: Vec::new(),
        };
        let document = |id| DocumentRatings {
            document: DocumentId(id),
            round: RoundId(1),
            characters: 20,
            assignments: vec![assignment(id, 1), assignment(id, 2)],
            reviews: Vec::new(),
        };
        let tallies = Tallies::rebuild(Revision(1), (1..9).map(document).collect());
        UnitsSample::of(&tallies, Switches::default())
    }

    #[test]
    fn what_is_not_wanted_any_more_is_given_up_at_once_and_has_no_outcome() {
        let (asked, resampling) = (Cell::new(0), Resampling { resamples: 1_000, seed: 1 });
        let for_a_while = || {
            asked.set(asked.get() + 1);
            // Somebody else who looks again would not make a half-done outcome whole.
            asked.get() != 10
        };
        assert_eq!(measured(&sample(), resampling, for_a_while), None);
        assert_eq!(asked.get(), 10);
        let whole = measured(&sample(), resampling, || true).unwrap();
        assert!(matches!(whole.confidence, Confidence::Interval { .. }));
    }
}
