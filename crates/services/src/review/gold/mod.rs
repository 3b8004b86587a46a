//! The gold standard: reviewers' decisions, and where there is none, what labelers mark
//! unanimously.

mod compare;
mod list;
mod marks;
mod versions;

use std::collections::{BTreeMap, BTreeSet};

use domain::{LabelSet, MemberId, OpenReason, Range, Verdict, WorkState};
use live::{DocumentWork, Work};

pub use compare::compare;
pub(crate) use list::Sums;
pub use list::{document, list};
pub(crate) use marks::{marks_of, names_of, written};
pub use versions::lock;
pub(crate) use versions::problems;

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

/// Those who submitted the document.
pub(crate) fn submitted(work: &DocumentWork) -> Vec<(MemberId, &Work)> {
    let is_in = |work: &Work| work.is_of_labeler() && work.state == WorkState::Submitted;
    work.iter().filter(|(_, work)| is_in(work)).map(|(id, work)| (*id, work)).collect()
}

/// How a position that somebody marked or decided on stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Gold(LabelSet, Origin),
    /// The latest decision rejected it.
    Rejected,
    Open(OpenReason),
}

/// How every position of a document stands.
pub(crate) fn places(work: &DocumentWork) -> BTreeMap<Range, Place> {
    let mut gold = gold(work);
    let submitted = submitted(work);
    let marked = work.values().flat_map(|work| work.judgements.keys());
    let ranges: BTreeSet<Range> = marked.copied().collect();
    let place = |range: Range| match gold.remove(&range) {
        Some((labels, origin)) => Place::Gold(labels, origin),
        None if work.values().any(|work| work.verdicts.contains_key(&range)) => Place::Rejected,
        None => Place::Open(open_reason(&submitted, range)),
    };
    ranges.iter().copied().zip(ranges.iter().copied().map(place)).collect()
}

/// Why a position is not unanimous.
fn open_reason(submitted: &[(MemberId, &Work)], range: Range) -> OpenReason {
    let given: Vec<_> =
        submitted.iter().filter_map(|(_, work)| work.judgements.get(&range)).collect();
    match given.split_first() {
        Some((first, rest)) if rest.iter().any(|other| other != first) => OpenReason::Conflict,
        Some(_) if submitted.len() > 1 => OpenReason::OneSided,
        _ => OpenReason::Waiting,
    }
}

/// A document's gold standard. A position is unanimous when every labeler who submitted the
/// document, and at least two of them, gave it the same labels; a rejected position is not gold.
pub(crate) fn gold(work: &DocumentWork) -> BTreeMap<Range, (LabelSet, Origin)> {
    let submitted = submitted(work);
    let mut gold = BTreeMap::new();
    if let Some(((_, first), rest)) = submitted.split_first()
        && !rest.is_empty()
    {
        for (range, labels) in &first.judgements {
            if rest.iter().all(|(_, other)| other.judgements.get(range) == Some(labels)) {
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
    fn what_is_open_says_why() {
        let (both, differ, one, alone) =
            (Range::new(0, 3), Range::new(4, 6), Range::new(8, 9), Range::new(10, 12));
        let span = |range, label| Span { range, label };
        let mut work = DocumentWork::from([
            (
                MemberId(1),
                labeler(
                    WorkState::Submitted,
                    &[span(both, PER), span(differ, PER), span(one, PER)],
                ),
            ),
            (MemberId(2), labeler(WorkState::Saved, &[span(alone, ORG)])),
        ]);
        // Of one who has submitted nothing is said yet.
        let waiting = Place::Open(OpenReason::Waiting);
        assert!(places(&work).values().all(|place| *place == waiting));
        let second = labeler(WorkState::Submitted, &[span(both, PER), span(differ, ORG)]);
        work.insert(MemberId(3), second);
        let rejected = Range::new(20, 22);
        work.insert(MemberId(4), decided(rejected, Verdict::Reject, LabelSet::EMPTY, 1));
        let expected = [
            (both, Place::Gold(LabelSet::one(PER), Origin::Unanimous)),
            (differ, Place::Open(OpenReason::Conflict)),
            (one, Place::Open(OpenReason::OneSided)),
            (alone, waiting),
            (rejected, Place::Rejected),
        ];
        assert_eq!(places(&work), BTreeMap::from(expected));
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
