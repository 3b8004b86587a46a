//! A project's judgements and the tallies that follow from them. Pure: a rebuild from rows and a
//! change of one document go through the same function.

use std::{collections::BTreeMap, sync::Arc};

use agreement::{NotCounted, PairTally, Policy, compare};
use chrono::{DateTime, Utc};
use domain::{
    DocumentId, LabelSet, MemberId, PolicyChoice, Range, Revision, Role, Span, Switches, Verdict,
    WorkState,
};
use store::ratings::DocumentRatings;

/// What one rater has on one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Work {
    pub(crate) role: Role,
    pub(crate) state: WorkState,
    /// Each judged position; the empty set is a reviewer's reject.
    pub(crate) judgements: BTreeMap<Range, LabelSet>,
    /// How a reviewer decided and when; empty for labelers.
    pub(crate) verdicts: BTreeMap<Range, (Verdict, DateTime<Utc>)>,
}

impl Work {
    /// A labeler's copy.
    pub(crate) fn of_labeler(state: WorkState, spans: impl IntoIterator<Item = Span>) -> Self {
        let mut judgements: BTreeMap<Range, LabelSet> = BTreeMap::new();
        for span in spans {
            judgements.entry(span.range).or_default().insert(span.label);
        }
        Self { role: Role::Labeler, state, judgements, verdicts: BTreeMap::new() }
    }

    /// A reviewer's pass.
    pub(crate) fn of_reviewer(
        state: WorkState,
        decisions: impl IntoIterator<Item = domain::Decision>,
    ) -> Self {
        let mut work = Self {
            role: Role::Reviewer,
            state,
            judgements: BTreeMap::new(),
            verdicts: BTreeMap::new(),
        };
        for decision in decisions {
            work.verdicts.insert(decision.range, (decision.verdict, decision.decided_at));
            work.judgements.insert(decision.range, decision.labels);
        }
        work
    }
}

/// Everybody's work on one document; raters who have not saved are not in it.
pub(crate) type DocumentWork = BTreeMap<MemberId, Work>;

/// What is counted for one pair of raters, under all switches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PairTallies {
    saved: Counted,
    submitted: Counted,
    /// The policy `empty label`: over documents both submitted, whatever the switch says.
    empty_label: Counted,
}

/// A tally and the number of documents behind it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counted {
    pub(crate) tally: PairTally<LabelSet>,
    pub(crate) documents: u64,
}

impl Counted {
    fn of(first: &Work, second: &Work, policy: Policy) -> Self {
        let tally = compare(&first.judgements, &second.judgements, policy, &LabelSet::EMPTY);
        Self { tally, documents: 1 }
    }

    fn merge(&mut self, other: &Self) {
        self.tally.merge(&other.tally);
        self.documents += other.documents;
    }

    fn subtract(&mut self, other: &Self) -> Result<(), NotCounted> {
        let documents = self.documents.checked_sub(other.documents).ok_or(NotCounted)?;
        self.tally.subtract(&other.tally)?;
        self.documents = documents;
        Ok(())
    }

    /// The same with the raters' parts exchanged.
    pub(crate) fn transposed(&self) -> Self {
        Self { tally: self.tally.transposed(), documents: self.documents }
    }
}

impl PairTallies {
    /// What one document contributes to a pair.
    fn of(first: &Work, second: &Work) -> Self {
        let mut tallies = Self::default();
        if first.state.has_work() && second.state.has_work() {
            tallies.saved = Counted::of(first, second, Policy::Cleaned);
        }
        if first.state == WorkState::Submitted && second.state == WorkState::Submitted {
            tallies.submitted = tallies.saved.clone();
            tallies.empty_label = Counted::of(first, second, Policy::EmptyLabel);
        }
        tallies
    }

    fn merge(&mut self, other: &Self) {
        self.saved.merge(&other.saved);
        self.submitted.merge(&other.submitted);
        self.empty_label.merge(&other.empty_label);
    }

    fn subtract(&mut self, other: &Self) -> Result<(), NotCounted> {
        self.saved.subtract(&other.saved)?;
        self.submitted.subtract(&other.submitted)?;
        self.empty_label.subtract(&other.empty_label)
    }

    /// What the switches choose.
    pub(crate) const fn chosen(&self, switches: Switches) -> &Counted {
        match (switches.policy, switches.documents) {
            (PolicyChoice::EmptyLabel, _) => &self.empty_label,
            (PolicyChoice::Cleaned, domain::Documents::Saved) => &self.saved,
            (PolicyChoice::Cleaned, domain::Documents::Submitted) => &self.submitted,
        }
    }
}

/// A project's judgements, and the tallies of all pairs that have a document in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tallies {
    /// The project's revision that this is the state of.
    pub(crate) revision: Revision,
    /// Shared, so that a copy for a reader who is still at the former state is cheap.
    documents: BTreeMap<DocumentId, Arc<DocumentWork>>,
    /// The rater with the lower id first.
    pairs: BTreeMap<(MemberId, MemberId), PairTallies>,
}

impl Tallies {
    /// Counts everything from the rows of the database.
    pub(crate) fn rebuild(revision: Revision, rows: Vec<DocumentRatings>) -> Self {
        let mut tallies = Self { revision, ..Self::default() };
        for ratings in rows {
            let (document, work) = document_work(ratings);
            tallies.count_document(document, work);
        }
        tallies
    }

    fn count_document(&mut self, document: DocumentId, work: DocumentWork) {
        for (first, second) in pairs(&work) {
            let contribution = PairTallies::of(first.1, second.1);
            if contribution != PairTallies::default() {
                self.pairs.entry((*first.0, *second.0)).or_default().merge(&contribution);
            }
        }
        if !work.is_empty() {
            self.documents.insert(document, Arc::new(work));
        }
    }

    /// Replaces what one rater has on one document. Costs as much as the document has positions
    /// and raters, whatever the project's size. An error means that the tallies are not those of
    /// the documents any more: they are to be thrown away and counted anew.
    pub(crate) fn replace(
        &mut self,
        document: DocumentId,
        rater: MemberId,
        new: Work,
    ) -> Result<(), NotCounted> {
        let work = Arc::make_mut(self.documents.entry(document).or_default());
        let old = work.insert(rater, new);
        let Some(new) = work.get(&rater) else { return Ok(()) };
        for (other, others_work) in work.iter().filter(|(other, _)| **other != rater) {
            if !compared(new.role, others_work.role) {
                continue;
            }
            let ordered = |mine: &Work| {
                if rater < *other {
                    PairTallies::of(mine, others_work)
                } else {
                    PairTallies::of(others_work, mine)
                }
            };
            let key = (rater.min(*other), rater.max(*other));
            let pair = self.pairs.entry(key).or_default();
            if let Some(old) = &old {
                pair.subtract(&ordered(old))?;
            }
            pair.merge(&ordered(new));
            if *pair == PairTallies::default() {
                self.pairs.remove(&key);
            }
        }
        Ok(())
    }

    /// What is counted for a pair, with `first` as the row rater; nothing in common is empty.
    pub(crate) fn pair(&self, first: MemberId, second: MemberId, switches: Switches) -> Counted {
        let key = (first.min(second), first.max(second));
        let Some(pair) = self.pairs.get(&key) else { return Counted::default() };
        let counted = pair.chosen(switches);
        if first < second { counted.clone() } else { counted.transposed() }
    }

    /// One rater against several, pooled: the counts are added, the rater is the row.
    pub(crate) fn pooled(
        &self,
        rater: MemberId,
        others: impl IntoIterator<Item = MemberId>,
        switches: Switches,
    ) -> Counted {
        let mut pooled = Counted::default();
        for other in others {
            pooled.merge(&self.pair(rater, other, switches));
        }
        pooled
    }

    /// Everybody's work, by document.
    pub(crate) fn documents(&self) -> impl Iterator<Item = (DocumentId, &DocumentWork)> {
        self.documents.iter().map(|(id, work)| (*id, &**work))
    }

    /// Everybody's work on one document.
    pub(crate) fn document(&self, document: DocumentId) -> Option<&DocumentWork> {
        self.documents.get(&document).map(|work| &**work)
    }

    /// How many pairs have something in common.
    pub(crate) fn pair_count(&self) -> usize {
        self.pairs.len()
    }
}

/// Whether a pair of these roles stands in the matrix: reviewers are not compared with each other.
pub(crate) fn compared(first: Role, second: Role) -> bool {
    first == Role::Labeler || second == Role::Labeler
}

/// The pairs of a document that are compared, the lower id first.
fn pairs(work: &DocumentWork) -> impl Iterator<Item = ((&MemberId, &Work), (&MemberId, &Work))> {
    work.iter().enumerate().flat_map(move |(index, first)| {
        work.iter()
            .skip(index + 1)
            .filter(move |second| compared(first.1.role, second.1.role))
            .map(move |second| (first, second))
    })
}

/// The rows of one document as judgements.
pub(crate) fn document_work(ratings: DocumentRatings) -> (DocumentId, DocumentWork) {
    let copies = ratings
        .copies
        .into_iter()
        .filter(|copy| copy.state.has_work())
        .map(|copy| (copy.member, Work::of_labeler(copy.state, copy.spans)));
    let reviews = ratings
        .reviews
        .into_iter()
        .filter(|review| review.state.has_work())
        .map(|review| (review.member, Work::of_reviewer(review.state, review.decisions)));
    (ratings.document, copies.chain(reviews).collect())
}
