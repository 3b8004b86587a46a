//! Labelers' spans as units on a continuum: what `α_U` of all labelers is computed from.

use std::collections::BTreeSet;

use agreement::{Continuum, Unit};
use domain::{DocumentId, Documents, LabelId, MemberId, Range, Switches};

use super::{
    Tallies,
    work::{DocumentWork, Work},
};

/// Documents that every labeler with work that counts has worked on.
pub struct Unitized {
    /// In the order of their ids; the raters of the continua.
    pub labelers: Vec<MemberId>,
    /// In the order of their ids.
    pub documents: Vec<UnitizedDocument>,
}

/// A document and all units in it.
pub struct UnitizedDocument {
    pub document: DocumentId,
    /// How long it is, in Unicode scalar values.
    pub characters: u32,
    units: Vec<(usize, Range, LabelId)>,
}

impl Tallies {
    /// What `α_U` is computed from under the switches, of tallies of exact positions: absence is no judgement
    /// before an assignment is submitted, so policies that make one of it leave no choice of documents, as
    /// everywhere. Beside that they have no say.
    pub fn unitized(&self, switches: Switches) -> Unitized {
        let counted = switches.policy.documents(switches.documents);
        let labelers: BTreeSet<MemberId> = self
            .documents()
            .flat_map(|(_, work)| assignments(work, counted))
            .map(|(id, _)| id)
            .collect();
        let labelers: Vec<_> = labelers.into_iter().collect();
        let documents = self.documents().filter_map(|(document, work)| {
            let assignments: Vec<_> = assignments(work, counted).collect();
            // A labeler is counted once in each document, so as many are all.
            (assignments.len() == labelers.len()).then(|| UnitizedDocument {
                document,
                characters: self.characters(document),
                units: units(&assignments),
            })
        });
        Unitized { documents: documents.collect(), labelers }
    }
}

/// The labelers' assignments of a document that count.
fn assignments(work: &DocumentWork, counted: Documents) -> impl Iterator<Item = (MemberId, &Work)> {
    work.iter()
        .filter(move |(_, work)| work.is_of_labeler() && work.counts(counted))
        .map(|(id, work)| (*id, work))
}

/// Each label of each position is a unit of its own; ∅ is none.
fn units(assignments: &[(MemberId, &Work)]) -> Vec<(usize, Range, LabelId)> {
    let of_rater = |(rater, (_, work)): (usize, &(MemberId, &Work))| {
        let judgements = work.judgements.iter();
        let units = judgements
            .flat_map(|(range, labels)| labels.iter().map(move |label| (rater, *range, label)));
        units.collect::<Vec<_>>()
    };
    assignments.iter().enumerate().flat_map(of_rater).collect()
}

impl Unitized {
    /// How long the documents are together.
    pub fn characters(&self) -> u64 {
        self.documents.iter().map(|document| u64::from(document.characters)).sum()
    }

    /// How many units there are.
    pub fn units(&self) -> usize {
        self.documents.iter().map(|document| document.units.len()).sum()
    }

    /// The documents as continua, in order; none if a unit does not lie in its document, as what is
    /// chosen on the document itself.
    pub fn continua(&self) -> Option<Vec<Continuum<LabelId>>> {
        let continuum = |document: &UnitizedDocument| {
            let units = document.units.iter().map(|&(rater, range, category)| {
                let (start, length) = (range.start.into(), range.len().into());
                Unit { rater, start, length, category }
            });
            let (length, raters) = (document.characters.into(), self.labelers.len());
            Continuum::with_overlaps(0, length, raters, units).ok()
        };
        self.documents.iter().map(continuum).collect()
    }
}

impl UnitizedDocument {
    /// Who marked what: the place of the labeler among all, the range, the label.
    pub fn units(&self) -> &[(usize, Range, LabelId)] {
        &self.units
    }
}
