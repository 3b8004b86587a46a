//! What all labelers said about the same positions: the tallies of several raters at once.

use std::collections::BTreeSet;

use agreement::{NominalTally, NotCounted};
use domain::{Documents, LabelSet, MemberId, PolicyChoice, Range, Role, Switches};

use super::work::{DocumentWork, NOTHING, Work};

/// What is counted of all labelers, under all switches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SeveralTallies {
    saved: Several,
    submitted: Several,
    /// The policy `empty label`: over assignments that were submitted, whatever the switch says.
    empty_label: Several,
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
    labelers_in(work, SeveralTallies::documents(switches))
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
            .filter_map(|(id, work)| match (work.judgements.get(&position), policy) {
                (Some(labels), _) => Some((*id, labels)),
                (None, PolicyChoice::Cleaned) => None,
                (None, PolicyChoice::EmptyLabel) => Some((*id, &NOTHING)),
            })
            .collect();
        (said.len() > 1).then_some((position, said))
    })
}

/// What all labelers said in one document, as far as the switches count it.
pub fn several_of(work: &DocumentWork, switches: Switches) -> Several {
    Several::of(&labelers_counted(work, switches), switches.policy)
}

impl Several {
    fn of(labelers: &[Labeler<'_>], policy: PolicyChoice) -> Self {
        if labelers.is_empty() {
            return Self::default();
        }
        let mut tally = NominalTally::new();
        for (_, said) in items(labelers, policy) {
            let item = said.into_iter().map(|(_, labels)| labels.clone()).collect();
            // There is room for far more ratings than a document can have.
            let room = tally.add(&item);
            debug_assert!(room.is_ok());
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
    /// Which documents count; the measure of the matrix has no say.
    pub(crate) const fn documents(switches: Switches) -> Documents {
        match switches.policy {
            PolicyChoice::EmptyLabel => Documents::Submitted,
            PolicyChoice::Cleaned => switches.documents,
        }
    }

    /// What one document contributes.
    pub(crate) fn of(work: &DocumentWork) -> Self {
        let submitted = labelers_in(work, Documents::Submitted);
        let saved = labelers_in(work, Documents::Saved);
        let of_submitted = Several::of(&submitted, PolicyChoice::Cleaned);
        let of_saved = if saved.len() == submitted.len() {
            of_submitted.clone()
        } else {
            Several::of(&saved, PolicyChoice::Cleaned)
        };
        Self {
            saved: of_saved,
            submitted: of_submitted,
            empty_label: Several::of(&submitted, PolicyChoice::EmptyLabel),
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) -> Result<(), NotCounted> {
        self.saved.merge(&other.saved)?;
        self.submitted.merge(&other.submitted)?;
        self.empty_label.merge(&other.empty_label)
    }

    pub(crate) fn subtract(&mut self, other: &Self) -> Result<(), NotCounted> {
        self.saved.subtract(&other.saved)?;
        self.submitted.subtract(&other.submitted)?;
        self.empty_label.subtract(&other.empty_label)
    }

    /// What the switches choose; the measure of the matrix has no say.
    pub(crate) const fn chosen(&self, switches: Switches) -> &Several {
        match (switches.policy, switches.documents) {
            (PolicyChoice::EmptyLabel, _) => &self.empty_label,
            (PolicyChoice::Cleaned, Documents::Saved) => &self.saved,
            (PolicyChoice::Cleaned, Documents::Submitted) => &self.submitted,
        }
    }
}
