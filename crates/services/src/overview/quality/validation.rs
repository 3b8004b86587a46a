//! Whether the gold standard is right: a random sample that a second reviewer has judged without knowing of
//! the first one's decisions.

use std::collections::{BTreeMap, BTreeSet};

use agreement::inference::{Level, exact_share_interval};
use domain::{
    DocumentId, Documents, LabelSet, MemberId, ProjectId, SecondReviewSample, saturating,
};
use formats::ReportBlock;
use live::{DocumentWork, Tallies};

use super::words::{or_none, points};
use crate::{
    Result, Services,
    review::{
        gold::{Place, places},
        quorum::Quorums,
    },
};

/// What was drawn for second reviews.
pub(super) struct Drawn {
    /// Those that were not undone, the first one first.
    samples: Vec<SecondReviewSample>,
    documents: BTreeMap<MemberId, BTreeSet<DocumentId>>,
}

impl Drawn {
    pub(super) async fn load(services: &Services, project: ProjectId) -> Result<Self> {
        let store = &services.store;
        let mut samples = store::review::second_reviews::list(store, project).await?;
        samples.retain(|sample| sample.undone_at.is_none());
        samples.reverse();
        let mut documents = BTreeMap::new();
        for reviewer in samples.iter().map(|sample| sample.reviewer).collect::<BTreeSet<_>>() {
            let drawn = store::review::second_reviews::of_reviewer(store, reviewer).await?;
            documents.insert(reviewer, drawn.into_iter().collect());
        }
        Ok(Self { samples, documents })
    }

    fn has(&self, reviewer: MemberId, document: DocumentId) -> bool {
        self.documents.get(&reviewer).is_some_and(|drawn| drawn.contains(&document))
    }
}

/// The samples, and what came of them.
pub(super) struct Validation {
    samples: Vec<SecondReviewSample>,
    counts: Counts,
}

/// What second reviewers decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    /// Documents of which both reviews are ended.
    documents: u64,
    /// Positions on which something held that they decided on, and those on which they decided otherwise.
    positions: u64,
    wrong: u64,
}

impl Validation {
    pub(super) fn of(drawn: Drawn, tallies: &Tallies, quorums: &Quorums) -> Self {
        let mut counts = Counts::default();
        for (document, work) in tallies.documents() {
            for second in work.keys().filter(|reviewer| drawn.has(**reviewer, document)) {
                counts.add(work, *second, quorums.of(document));
            }
        }
        Self { samples: drawn.samples, counts }
    }

    pub(super) const fn is_there(&self) -> bool {
        self.counts.positions > 0
    }

    /// Documents that were drawn and are not judged yet.
    pub(super) fn waiting(&self) -> u64 {
        self.samples
            .iter()
            .map(|sample| sample.documents - sample.ended.min(sample.documents))
            .sum()
    }

    pub(super) fn blocks(&self) -> Vec<ReportBlock> {
        let Counts { documents, positions, wrong } = self.counts;
        let samples = self.samples.iter().map(|sample| {
            format!(
                "{} documents ({} % of those reviewed, drawn on {} with the seed {}), {} judged",
                sample.documents,
                sample.percent,
                sample.made_at.date_naive(),
                sample.seed,
                sample.ended,
            )
        });
        let rate = exact_share_interval(wrong, positions, Level::P95).map_or_else(
            |_| "not known: no position was judged a second time".to_owned(),
            |interval| {
                let percent = |share: f64| format!("{:.1} %", 100.0 * share);
                let [wrong, positions] =
                    [wrong, positions].map(|count| f64::from(saturating::<u32>(count)));
                let share = percent(wrong / positions);
                let (lower, upper) = (percent(interval.lower), percent(interval.upper));
                format!("{share} (exact 95 % interval {lower} to {upper}; positions taken for independent)")
            },
        );
        vec![points(
            "A random sample, judged by a second reviewer who does not see the first one’s decisions",
            [
                ("Samples", or_none(samples.collect())),
                ("Documents with both reviews ended", documents.to_string()),
                ("Gold positions judged again", positions.to_string()),
                ("Of these decided otherwise", wrong.to_string()),
                ("Error rate", rate),
            ],
        )]
    }
}

impl Counts {
    /// Adds what a second reviewer decided on a document, if they and somebody else have ended their reviews.
    fn add(&mut self, work: &DocumentWork, second: MemberId, quorum: u64) {
        let is_ended = |reviewer: MemberId| {
            let work = work.get(&reviewer).filter(|work| !work.is_of_labeler());
            work.is_some_and(|work| work.counts(Documents::Submitted))
        };
        let others = || work.iter().filter(|(rater, _)| **rater != second);
        let is_first = others().any(|(rater, _)| is_ended(*rater));
        let Some(theirs) = work.get(&second).filter(|_| is_first && is_ended(second)) else {
            return;
        };
        let before = others().map(|(rater, work)| (*rater, work.clone())).collect();
        let gold = places(&before, quorum);
        self.documents += 1;
        for (range, labels) in &theirs.judgements {
            let held = match gold.get(range) {
                Some(Place::Gold(labels, _)) => labels,
                // Nothing was gold here: a span that they added was missed.
                Some(Place::Rejected) | None => &LabelSet::EMPTY,
                Some(Place::Open(_)) => continue,
            };
            self.positions += 1;
            self.wrong += u64::from(held != labels);
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};
    use domain::{Decision, LabelId, Range, Span, Verdict, WorkState};
    use live::Work;

    use super::*;

    const PER: LabelId = LabelId(1);
    const ORG: LabelId = LabelId(2);

    fn labeler(spans: &[(Range, LabelId)]) -> Work {
        let spans = spans.iter().map(|(range, label)| Span { range: *range, label: *label });
        Work::of_labeler(WorkState::Submitted, DateTime::<Utc>::UNIX_EPOCH, spans)
    }

    fn reviewer(state: WorkState, decisions: &[(Range, Option<LabelId>)]) -> Work {
        let decided_at = DateTime::<Utc>::UNIX_EPOCH;
        let decision = |(range, label): &(Range, Option<LabelId>)| Decision {
            range: *range,
            verdict: if label.is_some() { Verdict::Accept } else { Verdict::Reject },
            labels: label.map_or(LabelSet::EMPTY, LabelSet::one),
            decided_at,
            note: String::new(),
            answers: BTreeSet::new(),
        };
        Work::of_reviewer(state, decided_at, decisions.iter().map(decision))
    }

    #[test]
    fn second_decisions_are_held_against_what_was_gold_without_them() {
        let [same, other, struck, unanimous, open, missed] =
            [0, 10, 20, 30, 40, 50].map(|start| Range::new(start, start + 5));
        let first =
            labeler(&[(same, PER), (other, PER), (struck, PER), (unanimous, ORG), (open, PER)]);
        let work = |state| {
            DocumentWork::from_iter([
                (MemberId(1), first.clone()),
                (MemberId(2), labeler(&[(unanimous, ORG), (open, ORG)])),
                (
                    MemberId(3),
                    reviewer(
                        WorkState::Submitted,
                        &[(same, Some(PER)), (other, Some(PER)), (struck, None)],
                    ),
                ),
                (
                    MemberId(4),
                    reviewer(
                        state,
                        &[
                            (same, Some(PER)),
                            (other, Some(ORG)),
                            (struck, None),
                            (unanimous, Some(ORG)),
                            (open, Some(PER)),
                            (missed, Some(PER)),
                        ],
                    ),
                ),
            ])
        };
        let counted = |work: &DocumentWork, second| {
            let mut counts = Counts::default();
            counts.add(work, MemberId(second), 2);
            counts
        };
        let ended = work(WorkState::Submitted);
        assert_eq!(counted(&ended, 4), Counts { documents: 1, positions: 5, wrong: 2 });
        // At work still; alone; not a reviewer.
        assert_eq!(counted(&work(WorkState::Saved), 4), Counts::default());
        assert_eq!(counted(&ended, 1), Counts::default());
        let mut alone = ended;
        alone.remove(&MemberId(3));
        assert_eq!(counted(&alone, 4), Counts::default());
    }
}
