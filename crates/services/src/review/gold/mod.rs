//! The gold standard: reviewers' decisions, and where there is none, what labelers mark
//! unanimously.

mod answers;
mod compare;
mod list;
mod positions;
mod versions;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use domain::{LabelSet, MemberId, OpenReason, Range, Standing, WorkState};
use live::{DocumentWork, Work};

use super::quorum::standing;
use crate::agreement::latest_decision;

pub(crate) use answers::Answered;
pub use compare::compare;
pub(crate) use list::Sums;
pub use list::{document, list};
pub(crate) use positions::{gold_positions, names_of, written};
pub use versions::lock;
pub(crate) use versions::{gold_id, problems};
pub(crate) use words::{Words, answer_of};

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

/// How every position of a document stands, where so many have to finish it: as the latest decision
/// says, or else as those who submitted the document do. A rejected position is not gold.
pub(crate) fn places(work: &DocumentWork, quorum: u64) -> BTreeMap<Range, Place> {
    let submitted = submitted(work);
    let marked = work.values().flat_map(|work| work.judgements.keys());
    let ranges: BTreeSet<Range> = marked.copied().collect();
    let place = |range: Range| match latest_decision(work, range) {
        Some(decision) if decision.labels.is_empty() => Place::Rejected,
        Some(decision) => Place::Gold(decision.labels.clone(), Origin::Reviewer),
        None => undecided(&submitted, range, quorum),
    };
    ranges.into_iter().map(|range| (range, place(range))).collect()
}

fn undecided(submitted: &[(MemberId, &Work)], range: Range, quorum: u64) -> Place {
    let labelers = submitted.iter().map(|(_, work)| *work);
    let given = submitted.iter().find_map(|(_, work)| work.judgements.get(&range));
    match (standing(labelers, range, quorum), given) {
        (Standing::Unanimous, Some(labels)) => Place::Gold(labels.clone(), Origin::Unanimous),
        (Standing::Conflict, _) => Place::Open(OpenReason::Conflict),
        (Standing::OneSided, _) => Place::Open(OpenReason::OneSided),
        _ => Place::Open(OpenReason::Waiting),
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};
    use domain::{Decision, LabelId, Span, Verdict};

    use super::*;

    const PER: LabelId = LabelId(1);
    const ORG: LabelId = LabelId(2);

    fn labeler(state: WorkState, spans: &[Span]) -> Work {
        Work::of_labeler(state, DateTime::<Utc>::UNIX_EPOCH, spans.iter().copied())
    }

    fn decided(range: Range, verdict: Verdict, labels: LabelSet, second: i64) -> Work {
        let decided_at = DateTime::<Utc>::from_timestamp(second, 0).unwrap();
        let (note, answers) = (String::new(), BTreeSet::new());
        let decision = Decision { range, verdict, labels, decided_at, note, answers };
        Work::of_reviewer(WorkState::Saved, decided_at, [decision])
    }

    #[test]
    fn one_labeler_alone_is_not_unanimous() {
        let work = DocumentWork::from_iter([(
            MemberId(1),
            labeler(WorkState::Submitted, &[Span::new(0, 3, PER)]),
        )]);
        let waiting = Place::Open(OpenReason::Waiting);
        assert_eq!(places(&work, 2), BTreeMap::from([(Range::new(0, 3), waiting)]));
    }

    #[test]
    fn what_is_open_says_why() {
        let (both, differ, one, alone) =
            (Range::new(0, 3), Range::new(4, 6), Range::new(8, 9), Range::new(10, 12));
        let span = |range, label| Span { range, label };
        let mut work = DocumentWork::from_iter([
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
        assert!(places(&work, 2).values().all(|place| *place == waiting));
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
        assert_eq!(places(&work, 2), BTreeMap::from(expected));
    }

    #[test]
    fn a_labeler_who_goes_on_working_is_waited_for_where_they_have_to_finish() {
        let span = [Span::new(0, 3, PER)];
        let work = DocumentWork::from_iter([
            (MemberId(1), labeler(WorkState::Submitted, &span)),
            (MemberId(2), labeler(WorkState::Submitted, &span)),
            (MemberId(3), labeler(WorkState::Saved, &[])),
        ]);
        let place = |quorum| places(&work, quorum).remove(&Range::new(0, 3));
        assert_eq!(place(2), Some(Place::Gold(LabelSet::one(PER), Origin::Unanimous)));
        assert_eq!(place(3), Some(Place::Open(OpenReason::Waiting)));
    }

    #[test]
    fn a_reject_removes_what_was_unanimous_and_the_latest_decision_wins() {
        let span = [Span::new(0, 3, PER)];
        let range = Range::new(0, 3);
        let mut work = DocumentWork::from_iter([
            (MemberId(1), labeler(WorkState::Submitted, &span)),
            (MemberId(2), labeler(WorkState::Submitted, &span)),
            (MemberId(3), decided(range, Verdict::Reject, LabelSet::EMPTY, 10)),
        ]);
        assert_eq!(places(&work, 2).get(&range), Some(&Place::Rejected));
        let relabel = decided(range, Verdict::Relabel, LabelSet::one(ORG), 20);
        work.insert(MemberId(4), relabel);
        let relabelled = Place::Gold(LabelSet::one(ORG), Origin::Reviewer);
        assert_eq!(places(&work, 2).get(&range), Some(&relabelled));
    }
}
