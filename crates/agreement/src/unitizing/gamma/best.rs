//! The best alignment of a continuum, and the disorder that is read from it.

use super::categorial::{CategorialSum, CategorialSums};
use crate::{Undefined, Unit};

/// What a unit that faces an empty one adds to the disorder of gamma-cat and gamma-k.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Unaligned {
    /// Nothing, as published.
    #[default]
    Ignored,
    /// `Δ_∅` each, as the Python package pygamma-agreement has it.
    DeltaEmpty,
}

/// The best alignment of a continuum.
#[derive(Clone, Debug)]
pub struct Alignment<'a, C> {
    /// The units that are aligned with each other, at most one of each rater.
    pub unitary: Vec<Vec<&'a Unit<C>>>,
    /// Its disorder: the costs of all unitary alignments by the mean number of units per rater.
    pub disorder: f64,
    pub(super) sums: CategorialSums,
    pub(super) delta_empty: f64,
    pub(super) categories: Vec<&'a C>,
}

impl<C: Ord> Alignment<'_, C> {
    /// The disorder of gamma-cat: the weighted mean of the dissimilarity of aligned categories.
    pub fn categorial_disorder(&self, unaligned: Unaligned) -> Result<f64, Undefined> {
        self.disorder_of(&self.sums.all, unaligned)
    }

    /// The disorder of gamma-k: the same over pairs of which one at least is of the category.
    pub fn category_disorder(&self, category: &C, unaligned: Unaligned) -> Result<f64, Undefined> {
        let index =
            self.categories.binary_search(&category).map_err(|_| Undefined::CategoryNotUsed)?;
        let sum = self.sums.per_category.get(index).ok_or(Undefined::CategoryNotUsed)?;
        self.disorder_of(sum, unaligned)
    }

    fn disorder_of(&self, sum: &CategorialSum, unaligned: Unaligned) -> Result<f64, Undefined> {
        sum.disorder(self.delta_empty, unaligned == Unaligned::DeltaEmpty)
            .ok_or(Undefined::NoSharedPositions)
    }
}

/// One random annotation's best alignment.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) disorder: f64,
    pub(super) sums: CategorialSums,
}
