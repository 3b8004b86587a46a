//! A project's judgements and the tallies that follow from them. Pure: a rebuild from rows and a
//! change of one document go through the same function.

mod against;
mod by_token;
mod comparisons;
mod counting;
mod narrowing;
mod pairs;
mod recount;
mod several;
mod unitized;
mod work;

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, LazyLock},
};

use agreement::{NominalTally, NotCounted};
use domain::{
    DocumentId, DocumentRatings, MemberId, PositionKind, Range, Revision, Role, RoundId, Switches,
    saturating,
};

pub use against::{Against, Outsider};
pub use comparisons::{Comparison, comparisons, pair_documents};
use counting::Counts;
pub use narrowing::{Counting, DocumentTokens, Narrowing, Tokens};
pub use pairs::Counted;
pub(crate) use pairs::PairTallies;
pub use recount::Recount;
use several::SeveralTallies;
pub use several::{Labeler, Several, items, labelers_counted, labelers_in, several_of, unjudged};
pub use unitized::{Unitized, UnitizedDocument};
pub use work::{Change, Decided, DocumentFacts, DocumentWork, NOTHING, Work, document_work};

/// About how many bytes a document takes beside the work on it, with its places in trees: their nodes have
/// room for eleven, and are half full.
const DOCUMENT: usize = 130;

/// A project's judgements, and the tallies of all pairs that have a document in common.
#[derive(Clone, Debug, Default)]
pub struct Tallies {
    /// The project's revision that this is the state of.
    pub revision: Revision,
    /// What the positions are that the work on documents is by.
    positions: PositionKind,
    /// Where those are, if they are tokens; of other documents, too.
    tokens: Arc<Tokens>,
    /// Shared, so that a copy for a reader who is still at the former state is cheap.
    documents: BTreeMap<DocumentId, Arc<DocumentWork>>,
    /// Every document, also those that nobody has worked on. Saves change none of this, and imports add to
    /// it: whatever else does drops the tallies.
    facts: Arc<BTreeMap<DocumentId, DocumentFacts>>,
    /// The documents that each rater has work on: two raters share few of a large project's.
    of_raters: BTreeMap<MemberId, Arc<BTreeSet<DocumentId>>>,
    /// The rater with the lower id first; shared like the documents.
    pairs: BTreeMap<(MemberId, MemberId), Arc<PairTallies>>,
    /// All labelers at once.
    several: SeveralTallies,
    several_moved: Revision,
    /// When labelers' spans moved last.
    spans_moved: Revision,
    /// The revision in which everything was counted, and those in which pairs moved since.
    counted: Revision,
    moved: BTreeMap<(MemberId, MemberId), Revision>,
    /// About how many bytes the work of all raters takes.
    work_bytes: usize,
}

/// When something moved is no part of what is counted.
impl PartialEq for Tallies {
    fn eq(&self, other: &Self) -> bool {
        let Self { revision, positions, documents, facts, of_raters, pairs, several, .. } = self;
        (*revision, *positions) == (other.revision, other.positions)
            && (documents, facts, of_raters, pairs, several)
                == (&other.documents, &other.facts, &other.of_raters, &other.pairs, &other.several)
    }
}

impl Tallies {
    /// Counts everything from the rows of the database.
    pub fn rebuild(revision: Revision, rows: Vec<DocumentRatings>) -> Self {
        let mut tallies = Self::default();
        tallies.add(rows);
        tallies.counted_at(revision)
    }

    /// Counts rows of documents that were not counted yet.
    pub(crate) fn add(&mut self, rows: Vec<DocumentRatings>) {
        let facts = rows.iter().map(|ratings| (ratings.document, DocumentFacts::of(ratings)));
        Arc::make_mut(&mut self.facts).append(&mut facts.collect());
        self.count(rows.into_iter().map(document_work).collect());
    }

    /// The same, all of it counted from rows of one revision.
    pub(crate) fn counted_at(self, revision: Revision) -> Self {
        Self { revision, counted: revision, several_moved: revision, spans_moved: revision, ..self }
    }

    /// Tallies of other work on documents of the same project at the same revision, by positions of some kind.
    /// The other work follows from this, so that nothing of it has moved since this has.
    pub(crate) fn of_documents(
        &self,
        documents: Vec<(DocumentId, DocumentWork)>,
        positions: PositionKind,
        tokens: Arc<Tokens>,
    ) -> Self {
        let mut tallies = Self {
            revision: self.revision,
            positions,
            tokens,
            facts: Arc::clone(&self.facts),
            counted: self.counted,
            moved: self.moved.clone(),
            // By token a span that is only elsewhere moves more than it does by exact position.
            several_moved: self.spans_moved,
            spans_moved: self.spans_moved,
            ..Self::default()
        };
        tallies.count(documents);
        tallies
    }

    fn count(&mut self, documents: Vec<(DocumentId, DocumentWork)>) {
        let counting = |(document, work)| (document, work, self.counting(document));
        let documents: Vec<_> = documents.into_iter().map(counting).collect();
        let Counts { pairs, several } = counting::count(&documents);
        let room = self.several.merge(&several);
        debug_assert!(room.is_ok(), "there is room for far more ratings than a database has");
        for (pair, counted) in pairs {
            Arc::make_mut(self.pairs.entry(pair).or_default()).merge(&counted);
        }
        let works = documents.iter().flat_map(|(_, work, _)| work.values());
        self.work_bytes += works.map(Work::bytes).sum::<usize>();
        let mut of_raters: BTreeMap<MemberId, BTreeSet<DocumentId>> = BTreeMap::new();
        for (document, work, _) in &documents {
            for rater in work.keys() {
                of_raters.entry(*rater).or_default().insert(*document);
            }
        }
        // Appended at once, trees are built anew with full nodes.
        for (rater, mut documents) in of_raters {
            Arc::make_mut(self.of_raters.entry(rater).or_default()).append(&mut documents);
        }
        let worked_on = documents.into_iter().filter(|(_, work, _)| !work.is_empty());
        let worked_on = worked_on.map(|(document, work, _)| (document, Arc::new(work)));
        self.documents.append(&mut worked_on.collect());
    }

    /// Takes in documents that have come to the project.
    pub(crate) fn add_documents(&mut self, documents: &[(DocumentId, DocumentFacts)]) {
        if documents.iter().any(|(document, _)| !self.facts.contains_key(document)) {
            Arc::make_mut(&mut self.facts).extend(documents.iter().copied());
        }
    }

    /// Replaces what one rater has on one document, by positions of the same kind. With exact ones it costs as much
    /// as the document has positions and raters, whatever the project's size. An error means that the
    /// tallies are not those of the documents any more: they are to be thrown away and counted anew.
    pub fn replace(
        &mut self,
        document: DocumentId,
        rater: MemberId,
        new: Work,
    ) -> Result<(), NotCounted> {
        if new.role == Role::Labeler {
            self.spans_moved = self.revision;
        }
        let of_rater = self.of_raters.entry(rater).or_default();
        if !of_rater.contains(&document) {
            Arc::make_mut(of_rater).insert(document);
        }
        let counting = self.counting(document);
        let work = Arc::make_mut(self.documents.entry(document).or_default());
        let before = SeveralTallies::of(work, counting);
        self.work_bytes += new.bytes();
        let old = work.insert(rater, new);
        self.work_bytes -= old.as_ref().map_or(0, Work::bytes);
        let after = SeveralTallies::of(work, counting);
        if before != after {
            self.several.subtract(&before)?;
            self.several.merge(&after)?;
            self.several_moved = self.revision;
        }
        let Some(new) = work.get(&rater) else { return Ok(()) };
        for (other, others_work) in work.iter().filter(|(other, _)| **other != rater) {
            let ordered = |mine: &Work| {
                if rater < *other {
                    PairTallies::of(mine, others_work, counting)
                } else {
                    PairTallies::of(others_work, mine, counting)
                }
            };
            let key = (rater.min(*other), rater.max(*other));
            self.moved.insert(key, self.revision);
            let pair = Arc::make_mut(self.pairs.entry(key).or_default());
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

    /// Whether these are tallies of what the switches show; those of others are asked for by [`Narrowing::of`].
    /// Where they are not there is nothing to count, rather than another number.
    pub(crate) fn are_of(&self, switches: Switches) -> bool {
        let are = self.positions == switches.policy.positions();
        debug_assert!(are, "{} is not counted by {:?} positions", switches.policy, self.positions);
        are
    }

    /// How the judgements of a document are compared.
    pub fn counting(&self, document: DocumentId) -> Counting {
        Counting::of(self.positions, self.tokens(document))
    }

    /// The tokens of a document, if positions are tokens.
    pub fn tokens(&self, document: DocumentId) -> &[Range] {
        self.tokens.of(document).unwrap_or_default()
    }

    /// What is counted for a pair, with `first` as the row rater; nothing in common is empty.
    pub fn pair(&self, first: MemberId, second: MemberId, switches: Switches) -> Cow<'_, Counted> {
        let key = (first.min(second), first.max(second));
        let pair = self.pairs.get(&key).filter(|_| self.are_of(switches));
        let Some(pair) = pair else { return Cow::default() };
        let counted = pair.chosen(switches);
        if first < second { Cow::Borrowed(counted) } else { Cow::Owned(counted.transposed()) }
    }

    /// The revision in which what is counted of a pair moved last, or could have.
    pub fn moved(&self, first: MemberId, second: MemberId) -> Revision {
        let key = (first.min(second), first.max(second));
        self.moved.get(&key).copied().unwrap_or(self.counted)
    }

    /// What is counted for a pair in each document that counts, with `first` as the row rater.
    pub fn pair_by_document(
        &self,
        first: MemberId,
        second: MemberId,
        switches: Switches,
    ) -> impl Iterator<Item = (DocumentId, Counted)> {
        let shared = self.shared_by(first, second).filter(move |_| self.are_of(switches));
        shared.filter_map(move |(document, first, second)| {
            let tallies = PairTallies::of(first, second, self.counting(document));
            let counted = tallies.chosen(switches);
            (counted.documents > 0).then(|| (document, counted.clone()))
        })
    }

    /// The documents that both raters have work on, in order, with the work of both.
    pub(crate) fn shared_by(
        &self,
        first: MemberId,
        second: MemberId,
    ) -> impl Iterator<Item = (DocumentId, &Work, &Work)> {
        let of = |rater| self.of_raters.get(&rater).map(|all| (all.len(), all));
        let both = of(first).zip(of(second));
        let fewest = both.map(|(first, second)| first.min(second).1);
        fewest.into_iter().flat_map(|all| all.iter()).filter_map(move |document| {
            let work = self.documents.get(document)?;
            Some((*document, work.get(&first)?, work.get(&second)?))
        })
    }

    /// Every document of the project, in the order of their import.
    pub fn all_documents(&self) -> impl Iterator<Item = DocumentId> {
        self.facts.keys().copied()
    }

    /// What is counted of all labelers at once.
    pub fn several(&self, switches: Switches) -> &Several {
        static NONE: LazyLock<Several> = LazyLock::new(Several::default);
        if self.are_of(switches) { self.several.chosen(switches) } else { &NONE }
    }

    /// The revision in which what is counted of all labelers moved last.
    pub const fn several_moved(&self) -> Revision {
        self.several_moved
    }

    /// The revision in which labelers' spans moved last, or could have.
    pub const fn spans_moved(&self) -> Revision {
        self.spans_moved
    }

    /// What is counted of all labelers in each document that counts.
    pub fn several_by_document(
        &self,
        switches: Switches,
    ) -> impl Iterator<Item = (DocumentId, Several)> {
        let documents = self.documents.iter().filter(move |_| self.are_of(switches));
        documents.filter_map(move |(document, work)| {
            let several = several_of(work, self.counting(*document), switches);
            (several.documents > 0).then_some((*document, several))
        })
    }

    /// The labelers of each document that counts, with their work and how it is compared.
    pub(crate) fn labelers_by_document(
        &self,
        switches: Switches,
    ) -> impl Iterator<Item = (Vec<Labeler<'_>>, Counting)> {
        let documents = self.documents.iter().filter(move |_| self.are_of(switches));
        let labelers =
            documents.map(move |(id, work)| (labelers_counted(work, switches), self.counting(*id)));
        labelers.filter(|(labelers, _)| !labelers.is_empty())
    }

    /// What is counted of labelers and reviewers in each document that counts: every pair of them,
    /// pooled, each position of a pair an item with two ratings.
    pub fn with_reviewers_by_document(
        &self,
        switches: Switches,
    ) -> impl Iterator<Item = (DocumentId, Several)> {
        let documents = self.documents.iter().filter(move |_| self.are_of(switches));
        documents.filter_map(move |(document, work)| {
            let of_role = |role| work.values().filter(move |work| work.role == role);
            let mut pooled = Several::default();
            let pairs = of_role(Role::Labeler)
                .flat_map(|labeler| of_role(Role::Reviewer).map(move |other| (labeler, other)));
            for (labeler, reviewer) in pairs {
                let tallies = PairTallies::of(labeler, reviewer, self.counting(*document));
                let counted = tallies.chosen(switches);
                pooled.documents = pooled.documents.max(counted.documents);
                // There is room for far more ratings than a document can have.
                let room = pooled.tally.merge(&NominalTally::from(&counted.tally.table));
                debug_assert!(room.is_ok());
            }
            (pooled.documents > 0).then_some((*document, pooled))
        })
    }

    /// One rater against several, pooled: the counts are added, the rater is the row.
    pub fn pooled(
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
    pub fn documents(&self) -> impl Iterator<Item = (DocumentId, &DocumentWork)> {
        self.documents.iter().map(|(id, work)| (*id, &**work))
    }

    /// The same, to be known again: work that somebody holds, be it weakly, is replaced and never changed.
    pub fn shared_documents(&self) -> impl Iterator<Item = (DocumentId, &Arc<DocumentWork>)> {
        self.documents.iter().map(|(id, work)| (*id, work))
    }

    /// Everybody's work on one document.
    pub fn document(&self, document: DocumentId) -> Option<&DocumentWork> {
        self.documents.get(&document).map(|work| &**work)
    }

    /// The round that a document belongs to; none if the project has no such document.
    pub fn round(&self, document: DocumentId) -> Option<RoundId> {
        self.facts.get(&document).map(|facts| facts.round)
    }

    /// How long a document's text is, in Unicode scalar values.
    pub fn characters(&self, document: DocumentId) -> u32 {
        self.facts.get(&document).map_or(0, |facts| facts.characters)
    }

    /// How much memory this takes, about, in bytes. It follows from counts that are there anyway.
    pub(crate) fn bytes(&self) -> u64 {
        let pairs: usize = self.pairs.values().map(|pair| pair.bytes()).sum();
        saturating::<u64>(self.facts.len() * DOCUMENT + self.work_bytes + pairs)
    }

    /// How many pairs have something in common.
    pub fn pair_count(&self) -> usize {
        self.pairs.len()
    }
}
