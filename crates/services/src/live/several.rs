//! What all labelers said about the same positions: the tallies of several raters at once.

use std::collections::BTreeSet;

use agreement::{Counts, Item, NominalTally, NotCounted};
use domain::{Documents, LabelSet, PolicyChoice, Role, Switches, WorkState};

use super::{DocumentWork, Work};

/// What is counted of all labelers, under all switches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SeveralTallies {
    saved: Several,
    submitted: Several,
    /// The policy `empty label`: over copies that were submitted, whatever the switch says.
    empty_label: Several,
}

/// A tally of positions, each with the labels of those who judged it, and the documents behind it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Several {
    pub(crate) tally: NominalTally<LabelSet>,
    pub(crate) documents: u64,
}

impl Several {
    /// A document that two labelers have worked on; of one alone nothing counts.
    fn of(works: &[&Work], policy: PolicyChoice) -> Self {
        if works.len() < 2 {
            return Self::default();
        }
        let positions: BTreeSet<_> =
            works.iter().flat_map(|work| work.judgements.keys().copied()).collect();
        let items = positions.iter().map(|position| {
            let ratings = works.iter().filter_map(|work| match policy {
                PolicyChoice::Cleaned => work.judgements.get(position).cloned(),
                PolicyChoice::EmptyLabel => {
                    Some(work.judgements.get(position).cloned().unwrap_or_default())
                }
            });
            (ratings.collect::<Item<_>>(), 1)
        });
        // A position that one alone judged says nothing of agreement, and is removed as in a pair.
        let counts = Counts::from_items(items.filter(|(item, _)| item.ratings() > 1), []);
        // There is room for far more ratings than a document can have.
        Self { tally: counts.map(|c| c.nominal_tally()).unwrap_or_default(), documents: 1 }
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
    pub(super) fn of(work: &DocumentWork) -> Self {
        let of_state = |counts: fn(WorkState) -> bool| -> Vec<&Work> {
            work.values().filter(|w| w.role == Role::Labeler && counts(w.state)).collect()
        };
        let submitted = of_state(|state| state == WorkState::Submitted);
        Self {
            saved: Several::of(&of_state(WorkState::has_work), PolicyChoice::Cleaned),
            submitted: Several::of(&submitted, PolicyChoice::Cleaned),
            empty_label: Several::of(&submitted, PolicyChoice::EmptyLabel),
        }
    }

    pub(super) fn merge(&mut self, other: &Self) -> Result<(), NotCounted> {
        self.saved.merge(&other.saved)?;
        self.submitted.merge(&other.submitted)?;
        self.empty_label.merge(&other.empty_label)
    }

    pub(super) fn subtract(&mut self, other: &Self) -> Result<(), NotCounted> {
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
