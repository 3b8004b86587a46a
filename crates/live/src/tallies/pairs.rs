//! What is counted of two raters, under all switches of a part at once.

use agreement::{NotCounted, PairTally, Policy, align_overlapping, compare};
use domain::{Documents, LabelSet, Measure, PolicyChoice, Range, Switches, WorkState};
use litemap::LiteMap;

use super::{
    narrowing::Counting,
    work::{Work, bytes_beside},
};

/// What is counted for one pair of raters, under all switches that have the same positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PairTallies<C = LabelSet> {
    saved: Counted<C>,
    submitted: Counted<C>,
    /// One-sided positions counted over documents both submitted, whatever the switch says: the policy
    /// `empty label`, and the only one where positions are not exact.
    everything: Counted<C>,
    /// One-sided positions counted over documents both saved: what F1 reads.
    saved_spans: Counted<C>,
}

/// A tally and the number of documents behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted<C = LabelSet> {
    pub tally: PairTally<C>,
    pub documents: u64,
    /// Those of the documents in which too many spans overlap to pair them, which the tally is without.
    pub unpaired: u64,
}

impl<C: Ord + Clone> Default for Counted<C> {
    fn default() -> Self {
        Self { tally: PairTally::default(), documents: 0, unpaired: 0 }
    }
}

impl<C: Ord + Clone> Default for PairTallies<C> {
    fn default() -> Self {
        Self {
            saved: Counted::default(),
            submitted: Counted::default(),
            everything: Counted::default(),
            saved_spans: Counted::default(),
        }
    }
}

impl<C: Ord + Clone> Counted<C> {
    /// By exact position.
    fn of(first: &Judged<'_, C>, second: &Judged<'_, C>, policy: Policy, empty: &C) -> Self {
        let tally = compare(first.judgements, second.judgements, policy, empty);
        Self { tally, documents: 1, unpaired: 0 }
    }

    /// By token, of which there are so many in all.
    fn by_token(first: &Judged<'_, C>, second: &Judged<'_, C>, all: u64, empty: &C) -> Self {
        let mut counted = Self::of(first, second, Policy::EmptyLabel, empty);
        let unjudged = Counting::Tokens(all).unjudged(counted.tally.coverage.positions());
        counted.tally.table.add_count(empty.clone(), empty.clone(), unjudged);
        counted
    }

    /// By overlap.
    fn overlapping(first: &Judged<'_, C>, second: &Judged<'_, C>, empty: &C) -> Self {
        let mut tally = PairTally::default();
        let (first, second) = (first.placed(), second.placed());
        let Ok(partners) = align_overlapping(&first, &second) else {
            return Self { tally, documents: 1, unpaired: 1 };
        };
        for (one, other) in partners {
            tally.add(one.copied(), other.copied(), Policy::EmptyLabel, empty);
        }
        Self { tally, documents: 1, unpaired: 0 }
    }

    /// The same with other names for the categories, each of its own.
    fn renamed<D: Ord + Clone>(&self, name: impl Fn(&C) -> D) -> Counted<D> {
        let table = self.tally.table.renamed(name);
        Counted {
            tally: PairTally { table, coverage: self.tally.coverage },
            documents: self.documents,
            unpaired: self.unpaired,
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.tally.merge(&other.tally);
        self.documents += other.documents;
        self.unpaired += other.unpaired;
    }

    fn subtract(&mut self, other: &Self) -> Result<(), NotCounted> {
        let documents = self.documents.checked_sub(other.documents).ok_or(NotCounted)?;
        let unpaired = self.unpaired.checked_sub(other.unpaired).ok_or(NotCounted)?;
        self.tally.subtract(&other.tally)?;
        (self.documents, self.unpaired) = (documents, unpaired);
        Ok(())
    }

    /// The same with the raters' parts exchanged.
    #[must_use]
    pub fn transposed(&self) -> Self {
        Self { tally: self.tally.transposed(), ..*self }
    }
}

impl PairTallies {
    /// What one document contributes to a pair.
    pub(crate) fn of(first: &Work, second: &Work, counting: Counting) -> Self {
        Self::judged(&Judged::of(first), &Judged::of(second), counting, &LabelSet::EMPTY)
    }
}

/// About how many bytes a pair takes beside its tables, with its place in a tree; and a cell of these.
const PAIR: usize = 330;
const CELL: usize = 45;

impl PairTallies {
    /// About how many bytes they take.
    pub(crate) fn bytes(&self) -> usize {
        let counted = [&self.saved, &self.submitted, &self.everything, &self.saved_spans];
        let cells = counted.into_iter().flat_map(|counted| counted.tally.table.cells());
        let bytes = cells.map(|(row, column, _)| CELL + bytes_beside(row) + bytes_beside(column));
        PAIR + bytes.sum::<usize>()
    }
}

impl<C: Ord + Clone> PairTallies<C> {
    /// What one document contributes to a pair, with whatever stands for sets of labels.
    pub(crate) fn judged(
        first: &Judged<'_, C>,
        second: &Judged<'_, C>,
        counting: Counting,
        empty: &C,
    ) -> Self {
        let mut tallies = Self::default();
        let both_submitted =
            first.state == WorkState::Submitted && second.state == WorkState::Submitted;
        match counting {
            Counting::Exact => {
                if first.state.has_work() && second.state.has_work() {
                    tallies.saved = Counted::of(first, second, Policy::Cleaned, empty);
                    tallies.saved_spans = Counted::of(first, second, Policy::EmptyLabel, empty);
                }
                if both_submitted {
                    tallies.submitted = tallies.saved.clone();
                    tallies.everything = tallies.saved_spans.clone();
                }
            }
            Counting::Tokens(all) if both_submitted => {
                tallies.everything = Counted::by_token(first, second, all, empty);
            }
            Counting::Overlapping if both_submitted => {
                tallies.everything = Counted::overlapping(first, second, empty);
            }
            Counting::Tokens(_) | Counting::Overlapping => {}
        }
        tallies
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.saved.merge(&other.saved);
        self.submitted.merge(&other.submitted);
        self.everything.merge(&other.everything);
        self.saved_spans.merge(&other.saved_spans);
    }

    pub(crate) fn subtract(&mut self, other: &Self) -> Result<(), NotCounted> {
        self.saved.subtract(&other.saved)?;
        self.submitted.subtract(&other.submitted)?;
        self.everything.subtract(&other.everything)?;
        self.saved_spans.subtract(&other.saved_spans)
    }

    /// The same with other names for the categories, each of its own.
    pub(crate) fn renamed<D: Ord + Clone>(&self, name: impl Fn(&C) -> D) -> PairTallies<D> {
        PairTallies {
            saved: self.saved.renamed(&name),
            submitted: self.submitted.renamed(&name),
            everything: self.everything.renamed(&name),
            saved_spans: self.saved_spans.renamed(&name),
        }
    }

    /// What the switches choose.
    pub(crate) const fn chosen(&self, switches: Switches) -> &Counted<C> {
        match (switches.measure, switches.policy, switches.counted_documents()) {
            (Measure::F1, _, Documents::Saved) => &self.saved_spans,
            (Measure::F1, _, Documents::Submitted)
            | (_, PolicyChoice::EmptyLabel | PolicyChoice::Token | PolicyChoice::Overlap, _) => {
                &self.everything
            }
            (_, PolicyChoice::Cleaned, Documents::Saved) => &self.saved,
            (_, PolicyChoice::Cleaned, Documents::Submitted) => &self.submitted,
        }
    }
}

/// One rater's judgements of a document, by sets of labels or by what stands for them.
#[derive(Debug)]
pub(crate) struct Judged<'a, C> {
    pub(crate) state: WorkState,
    pub(crate) judgements: &'a LiteMap<Range, C>,
}

impl<C> Judged<'_, C> {
    /// The judgements as positions that can be near each other.
    fn placed(&self) -> Vec<((u64, u64), &C)> {
        let placed = self.judgements.iter();
        placed.map(|(range, said)| ((range.start.into(), range.end.into()), said)).collect()
    }
}

impl<'a> Judged<'a, LabelSet> {
    fn of(work: &'a Work) -> Self {
        Self { state: work.state, judgements: &work.judgements }
    }
}
