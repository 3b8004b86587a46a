//! What counts as decided on a position: the latest of all reviewers' decisions.

use domain::{LabelSet, MemberId, Range, Verdict};
use live::DocumentWork;

/// The latest decision on a position, by whichever reviewer.
pub(crate) struct LatestDecision<'work> {
    pub(crate) reviewer: MemberId,
    pub(crate) verdict: Verdict,
    pub(crate) labels: &'work LabelSet,
    pub(crate) at: chrono::DateTime<chrono::Utc>,
    pub(crate) note: &'work str,
}

/// The latest decision on a position, if any reviewer has decided on it.
pub(crate) fn latest_decision(work: &DocumentWork, range: Range) -> Option<LatestDecision<'_>> {
    work.iter()
        .filter_map(|(reviewer, own)| {
            let decided = own.verdicts.get(&range)?;
            let labels = own.judgements.get(&range)?;
            Some(LatestDecision {
                reviewer: *reviewer,
                verdict: decided.verdict.unwrap_or_else(|| {
                    let labelers = work.values().filter(|work| work.is_of_labeler());
                    Verdict::of(labels, labelers.filter_map(|work| work.judgements.get(&range)))
                }),
                labels,
                at: decided.at,
                note: &decided.note,
            })
        })
        .max_by_key(|decision| (decision.at, decision.reviewer))
}
