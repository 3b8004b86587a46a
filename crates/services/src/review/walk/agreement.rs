//! Agreement beside the walk: all labelers at once, and every labeler with every reviewer.

use agreement::NominalTally;
use domain::{Rater, Role, SeveralMeasure, Switches, TimeSubject, WalkAgreement};
use live::{Several, Tallies, several_measured};

use crate::agreement::by_role;

/// Present values of what the page "over time" follows, read from the tallies of the pairs: they
/// add up to those of the documents.
pub(super) fn current_values(
    tallies: &Tallies,
    raters: &[Rater],
    switches: Switches,
) -> Vec<WalkAgreement> {
    let labelers = tallies.several(switches);
    let mut pooled = Several::default();
    for labeler in by_role(raters, Role::Labeler) {
        for reviewer in by_role(raters, Role::Reviewer) {
            let counted = tallies.pair(labeler, reviewer, switches);
            pooled.documents = pooled.documents.max(counted.documents);
            // There is room for far more ratings than a project can have.
            let room = pooled.tally.merge(&NominalTally::from(&counted.tally.table));
            debug_assert!(room.is_ok());
        }
    }
    [(TimeSubject::Labelers, labelers), (TimeSubject::Reviewers, &pooled)]
        .into_iter()
        .map(|(subject, several)| WalkAgreement {
            subject,
            values: SeveralMeasure::ALL
                .iter()
                .map(|&measure| {
                    (measure, several_measured(&several.tally, several.documents, measure))
                })
                .collect(),
            n: several.tally.items(),
        })
        .collect()
}
