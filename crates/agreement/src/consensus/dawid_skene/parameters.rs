//! How often categories are true, and what raters then say.

use crate::arithmetic::fixed::Fixed;
use crate::consensus::Votes;
use crate::consensus::confusions::{Confusions, even, spread};
use crate::consensus::expectation::{Counts, Likelihoods, share};

/// The parameters of the model.
pub(super) struct Parameters {
    /// The probability of each category.
    pub(super) marginals: Vec<f64>,
    pub(super) confusions: Confusions,
}

impl Parameters {
    /// The most probable ones, given how often what is expected: equations 2.3 and 2.4 of Dawid and
    /// Skene (1979), with priors added to the counts.
    pub(super) fn estimate(counts: &Counts, marginal_prior: f64, confusion_prior: f64) -> Self {
        let items: Fixed = counts.items.iter().copied().sum();
        let marginal = |&count: &Fixed| {
            share(count.value(), items.value(), marginal_prior, counts.items.len())
        };
        let marginals = counts.items.iter().map(marginal).collect();
        Self { marginals, confusions: Confusions::estimate(&counts.votes, confusion_prior) }
    }

    /// Earlier ones, spread; of raters beyond them nothing is known.
    pub(super) fn spread<C: Ord + Clone>(
        votes: &Votes<C>,
        marginals: &[f64],
        matrices: &[Vec<Vec<f64>>],
    ) -> Self {
        let even = even(votes.categories().len());
        Self {
            marginals: marginals.iter().map(|&marginal| spread(marginal, even)).collect(),
            confusions: Confusions::spread(votes, matrices),
        }
    }

    pub(super) fn likelihoods(&self) -> Likelihoods {
        Likelihoods {
            marginals: self.marginals.iter().copied().map(Fixed::ln).collect(),
            votes: self.confusions.logarithms(),
        }
    }
}
