//! What all labelers said about the same positions: the tallies of several raters at once.

use std::collections::BTreeSet;

use agreement::{Item, NominalTally, NotCounted};
use domain::{Documents, LabelSet, MemberId, PolicyChoice, Range, Role, Switches, saturating};

use super::{
    narrowing::Counting,
    work::{DocumentWork, NOTHING, Work},
};

/// What is counted of all labelers, under all switches that have the same positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SeveralTallies {
    saved: Several,
    submitted: Several,
    /// One-sided positions counted over assignments that were submitted, whatever the switch says: the
    /// policy `empty label`, and `token`.
    everything: Several,
}

/// A tally of positions, each with the labels of those who judged it, and the documents behind it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Several {
    pub tally: NominalTally<LabelSet>,
    pub documents: u64,
}

/// A labeler and what they have on a document.
pub type Labeler<'a> = (MemberId, &'a Work);

/// The labelers of a document whose work the switches count; nobody where they are fewer than two.
pub fn labelers_counted(work: &DocumentWork, switches: Switches) -> Vec<Labeler<'_>> {
    labelers_in(work, switches.policy.documents(switches.documents))
}

/// The labelers whose work is among these documents; nobody where they are fewer than two.
pub fn labelers_in(work: &DocumentWork, documents: Documents) -> Vec<Labeler<'_>> {
    let counted: Vec<_> = work
        .iter()
        .filter(|(_, work)| work.role == Role::Labeler && work.counts(documents))
        .map(|(id, work)| (*id, work))
        .collect();
    // Of one alone nothing counts.
    if counted.len() < 2 { Vec::new() } else { counted }
}

/// Each position that counts, with who said what there. A position that one alone judged says
/// nothing of agreement, and is removed as in a pair.
pub fn items<'a>(
    labelers: &[Labeler<'a>],
    policy: PolicyChoice,
) -> impl Iterator<Item = (Range, Vec<(MemberId, &'a LabelSet)>)> {
    let positions: BTreeSet<Range> =
        labelers.iter().flat_map(|(_, work)| work.judgements.keys().copied()).collect();
    positions.into_iter().filter_map(move |position| {
        let said: Vec<_> = labelers
            .iter()
            .filter_map(|(id, work)| {
                let nothing = policy.has_empty().then_some(&NOTHING);
                Some((*id, work.judgements.get(&position).or(nothing)?))
            })
            .collect();
        (said.len() > 1).then_some((position, said))
    })
}

/// On how many positions that count none of these labelers said anything.
pub fn unjudged(labelers: &[Labeler<'_>], counting: Counting) -> u64 {
    let judged = || labelers.iter().flat_map(|(_, work)| work.judgements.keys());
    match counting {
        Counting::Exact | Counting::Overlapping => 0,
        Counting::Tokens(_) if labelers.is_empty() => 0,
        Counting::Tokens(_) => {
            counting.unjudged(saturating(judged().collect::<BTreeSet<_>>().len()))
        }
    }
}

/// What all labelers said in one document, as far as the switches count it. Pairs of spans are of two
/// raters each: there are no such positions of several.
pub fn several_of(work: &DocumentWork, counting: Counting, switches: Switches) -> Several {
    Several::of(&labelers_counted(work, switches), counting, switches.policy)
}

impl Several {
    fn of(labelers: &[Labeler<'_>], counting: Counting, policy: PolicyChoice) -> Self {
        if labelers.is_empty() {
            return Self::default();
        }
        let mut tally = NominalTally::new();
        // There is room for far more ratings than a document can have.
        let mut add = |item: Item<LabelSet>, times| {
            let room = tally.add_times(&item, times);
            debug_assert!(room.is_ok());
        };
        if counting != Counting::Overlapping {
            for (_, said) in items(labelers, policy) {
                add(said.into_iter().map(|(_, labels)| labels.clone()).collect(), 1);
            }
            let nothing = labelers.iter().map(|_| LabelSet::EMPTY).collect();
            add(nothing, unjudged(labelers, counting));
        }
        Self { tally, documents: 1 }
    }

    fn merge(&mut self, other: &Self) -> Result<(), NotCounted> {
        self.documents += other.documents;
        self.tally.merge(&other.tally).map_err(|_| NotCounted)
    }

    fn subtract(&mut self, other: &Self) -> Result<(), NotCounted> {
        self.documents = self.documents.checked_sub(other.documents).ok_or(NotCounted)?;
        self.tally.subtract(&other.tally).map_err(|_| NotCounted)
    }
}

impl SeveralTallies {
    /// What one document contributes.
    pub(crate) fn of(work: &DocumentWork, counting: Counting) -> Self {
        let submitted = labelers_in(work, Documents::Submitted);
        let everything = Several::of(&submitted, counting, PolicyChoice::EmptyLabel);
        if counting != Counting::Exact {
            return Self { everything, ..Self::default() };
        }
        let saved = labelers_in(work, Documents::Saved);
        let of_submitted = Several::of(&submitted, counting, PolicyChoice::Cleaned);
        let of_saved = if saved.len() == submitted.len() {
            of_submitted.clone()
        } else {
            Several::of(&saved, counting, PolicyChoice::Cleaned)
        };
        Self { saved: of_saved, submitted: of_submitted, everything }
    }

    pub(crate) fn merge(&mut self, other: &Self) -> Result<(), NotCounted> {
        self.saved.merge(&other.saved)?;
        self.submitted.merge(&other.submitted)?;
        self.everything.merge(&other.everything)
    }

    pub(crate) fn subtract(&mut self, other: &Self) -> Result<(), NotCounted> {
        self.saved.subtract(&other.saved)?;
        self.submitted.subtract(&other.submitted)?;
        self.everything.subtract(&other.everything)
    }

    /// What the switches choose; the measure of the matrix has no say.
    pub(crate) const fn chosen(&self, switches: Switches) -> &Several {
        match (switches.policy, switches.documents) {
            (PolicyChoice::Cleaned, Documents::Saved) => &self.saved,
            (PolicyChoice::Cleaned, Documents::Submitted) => &self.submitted,
            (PolicyChoice::EmptyLabel | PolicyChoice::Token | PolicyChoice::Overlap, _) => {
                &self.everything
            }
        }
    }
}
