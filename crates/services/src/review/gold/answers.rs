//! What is answered in the gold standard of a document.

use std::collections::{BTreeMap, BTreeSet};

use domain::{DecidedAnswer, DocumentRatings, Fact, WorkState};
use live::DocumentWork;

use super::{Origin, Place, places};
use crate::{agreement::latest_decision, review::decisions::OfLabelers};

/// Who has answered, before their work becomes judgements.
pub(crate) struct Answered {
    submitted: OfLabelers,
    /// What was decided last of each question about the document.
    of_document: BTreeSet<Fact>,
}

impl Answered {
    pub(crate) fn of(ratings: &DocumentRatings) -> Self {
        let submitted = ratings.assignments.iter().filter(|it| it.state == WorkState::Submitted);
        let mut latest = BTreeMap::new();
        for review in ratings.reviews.iter().filter(|it| it.state.has_work()) {
            for DecidedAnswer { answer, decided_at } in &review.answers {
                let Some(chosen) = answer.choice else { continue };
                let decided = (*decided_at, review.member, *answer);
                let known = latest.entry(chosen.attribute).or_insert(decided);
                *known = decided.max(*known);
            }
        }
        let of_document = latest.into_values().map(|(_, _, answer)| answer).collect();
        Self { submitted: OfLabelers::among(submitted), of_document }
    }

    /// The answers that hold: those that were decided with a position, those that all who are unanimous on
    /// one gave alike, and those that were decided about the document.
    pub(crate) fn gold(self, work: &DocumentWork, quorum: u64) -> BTreeSet<Fact> {
        let mut answers = self.of_document;
        for (range, place) in places(work, quorum) {
            match place {
                Place::Gold(labels, Origin::Unanimous) => {
                    answers.extend(self.submitted.alike(range, &labels));
                }
                Place::Gold(_, Origin::Reviewer) => {
                    let decided = latest_decision(work, range);
                    let review = decided.and_then(|decided| work.get(&decided.reviewer));
                    let decided = review.and_then(|review| review.verdicts.get(&range));
                    answers.extend(decided.iter().flat_map(|it| it.answers.iter().copied()));
                }
                Place::Rejected | Place::Open(_) => {}
            }
        }
        answers
    }
}
