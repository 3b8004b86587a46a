//! The gold standard: reviewers' decisions, and where there is none, what labelers mark
//! unanimously.

use std::collections::{BTreeMap, BTreeSet};

use domain::{LabelSet, MemberId, Range, Role, Verdict, WorkState};

use crate::live::{DocumentWork, Work};

/// Where a span of the gold standard comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Reviewer,
    Unanimous,
}

impl Origin {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Reviewer => "reviewer",
            Self::Unanimous => "unanimous",
        }
    }
}

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
        .filter_map(|(reviewer, work)| {
            let decided = work.verdicts.get(&range)?;
            let labels = work.judgements.get(&range)?;
            Some(LatestDecision {
                reviewer: *reviewer,
                verdict: decided.verdict,
                labels,
                at: decided.at,
                note: &decided.note,
            })
        })
        .max_by_key(|decision| (decision.at, decision.reviewer))
}

/// A document's gold standard. A position is unanimous when every labeler who submitted the
/// document, and at least two of them, gave it the same labels; a rejected position is not gold.
pub(crate) fn gold(work: &DocumentWork) -> BTreeMap<Range, (LabelSet, Origin)> {
    let submitted: Vec<&Work> = work
        .values()
        .filter(|work| work.role == Role::Labeler && work.state == WorkState::Submitted)
        .collect();
    let mut gold = BTreeMap::new();
    if let Some((first, rest)) = submitted.split_first()
        && !rest.is_empty()
    {
        for (range, labels) in &first.judgements {
            if rest.iter().all(|other| other.judgements.get(range) == Some(labels)) {
                gold.insert(*range, (labels.clone(), Origin::Unanimous));
            }
        }
    }
    let decided: BTreeSet<Range> =
        work.values().flat_map(|work| work.verdicts.keys()).copied().collect();
    for range in decided {
        if let Some(decision) = latest_decision(work, range) {
            if decision.labels.is_empty() {
                gold.remove(&range);
            } else {
                gold.insert(range, (decision.labels.clone(), Origin::Reviewer));
            }
        }
    }
    gold
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};
    use domain::{Decision, LabelId, Span};

    use super::*;

    const PER: LabelId = LabelId(1);
    const ORG: LabelId = LabelId(2);

    fn labeler(state: WorkState, spans: &[Span]) -> Work {
        Work::of_labeler(state, DateTime::<Utc>::UNIX_EPOCH, spans.iter().copied())
    }

    fn decided(range: Range, verdict: Verdict, labels: LabelSet, second: i64) -> Work {
        let decided_at = DateTime::<Utc>::from_timestamp(second, 0).unwrap();
        let decision = Decision { range, verdict, labels, decided_at, note: String::new() };
        Work::of_reviewer(WorkState::Saved, decided_at, [decision])
    }

    #[test]
    fn one_labeler_alone_is_not_unanimous() {
        let work = DocumentWork::from([(
            MemberId(1),
            labeler(WorkState::Submitted, &[Span::new(0, 3, PER)]),
        )]);
        assert!(gold(&work).is_empty());
    }

    #[test]
    fn a_labeler_who_goes_on_working_does_not_count() {
        let span = [Span::new(0, 3, PER)];
        let work = DocumentWork::from([
            (MemberId(1), labeler(WorkState::Submitted, &span)),
            (MemberId(2), labeler(WorkState::Submitted, &span)),
            (MemberId(3), labeler(WorkState::Saved, &[])),
        ]);
        let gold = gold(&work);
        assert_eq!(gold.get(&Range::new(0, 3)), Some(&(LabelSet::one(PER), Origin::Unanimous)),);
    }

    #[test]
    fn a_reject_removes_what_was_unanimous_and_the_latest_decision_wins() {
        let span = [Span::new(0, 3, PER)];
        let range = Range::new(0, 3);
        let mut work = DocumentWork::from([
            (MemberId(1), labeler(WorkState::Submitted, &span)),
            (MemberId(2), labeler(WorkState::Submitted, &span)),
            (MemberId(3), decided(range, Verdict::Reject, LabelSet::EMPTY, 10)),
        ]);
        assert!(gold(&work).is_empty());
        let relabel = decided(range, Verdict::Relabel, LabelSet::one(ORG), 20);
        work.insert(MemberId(4), relabel);
        assert_eq!(gold(&work).get(&range), Some(&(LabelSet::one(ORG), Origin::Reviewer)));
    }
}
