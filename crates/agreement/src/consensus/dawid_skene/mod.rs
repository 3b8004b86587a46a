//! Dawid and Skene's raters: each has a habit for every category.

mod parameters;

use super::cells::check_room;
use super::expectation::{Counts, Expectation};
use super::{SoftLabels, Votes, majority};
use crate::Undefined;
use parameters::Parameters;

/// How raters are learned from, after Dawid, A. P. and Skene, A. M. (1979), Maximum likelihood
/// estimation of observer error-rates using the EM algorithm, *Applied Statistics* 28(1), 20–28.
///
/// An item is of category `j` with probability `p_j`, and rater `k` then says `l` with probability
/// `π_jl(k)`, whatever the others say. Both are estimated in turn with the categories of the items
/// (the paper's equations 2.3 to 2.5), from the shares of votes onwards (3.1).
///
/// The likelihood may have several maxima: in some of them, categories have changed their names.
/// Found is the one to which the shares of votes lead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DawidSkene {
    /// Items added to each category: a Dirichlet distribution with parameters 1 more, of which the
    /// mode is taken. 0, as in the paper, is maximum likelihood.
    pub marginal_prior: f64,
    /// Votes added to each cell of each rater's matrix, in the same way.
    pub confusion_prior: f64,
    /// It has converged when no probability of an item moves by more than this in a step.
    pub tolerance: f64,
    /// After so many steps it ends even so.
    pub most_iterations: u32,
}

impl Default for DawidSkene {
    /// Maximum likelihood; to 10⁻⁸, in at most 1,000 steps.
    fn default() -> Self {
        Self { marginal_prior: 0.0, confusion_prior: 0.0, tolerance: 1e-8, most_iterations: 1_000 }
    }
}

/// What was learned.
#[derive(Clone, Debug, PartialEq)]
pub struct DawidSkeneFit<C> {
    /// How probable each category is for each item.
    pub labels: SoftLabels<C>,
    /// How probable each category is for an item of which nothing is known, `p_j`.
    pub marginals: Vec<f64>,
    /// For each rater a matrix: the probability to say a category (columns) where another one is
    /// true (rows), `π_jl(k)`. A row of a category on which nothing is known of the rater has the
    /// same number everywhere.
    pub confusions: Vec<Vec<Vec<f64>>>,
    /// The logarithm of the probability of all votes, without the priors.
    pub log_likelihood: f64,
    /// How many steps were taken.
    pub iterations: u32,
    /// Whether they were enough.
    pub converged: bool,
}

impl DawidSkene {
    /// Learns from votes.
    ///
    /// Undefined without votes ([`Undefined::NoSharedPositions`]), with options out of range, and
    /// with more than 2²² cells in the raters' matrices or 2²⁶ probabilities ([`Undefined::TooMuchToLearn`]).
    pub fn fit<C: Ord + Clone + Sync>(
        &self,
        votes: &Votes<C>,
    ) -> Result<DawidSkeneFit<C>, Undefined> {
        self.check(votes)?;
        Ok(self.converge(votes, majority::shares(votes)))
    }

    /// Learns from votes of which most were there when `earlier` was learned.
    ///
    /// It begins where the earlier one ended, with a hundredth of every probability spread over all
    /// categories: from 0 none would ever rise. Raters who are new begin as ones of whom nothing is
    /// known. With other categories than before it begins anew.
    ///
    /// The outcome is that of [`fit`](Self::fit) where the likelihood has one maximum that matters,
    /// up to the tolerance; it may be another one where votes hardly determine it.
    pub fn fit_from<C: Ord + Clone + Sync>(
        &self,
        votes: &Votes<C>,
        earlier: &DawidSkeneFit<C>,
    ) -> Result<DawidSkeneFit<C>, Undefined> {
        self.check(votes)?;
        if votes.categories() != earlier.labels.categories() {
            return self.fit(votes);
        }
        let start = Parameters::spread(votes, &earlier.marginals, &earlier.confusions);
        let expectation = Expectation::of(votes, &start.likelihoods());
        Ok(self.converge(votes, expectation.probabilities))
    }

    fn check<C: Ord + Clone>(&self, votes: &Votes<C>) -> Result<(), Undefined> {
        let options = [self.marginal_prior, self.confusion_prior, self.tolerance];
        if options.iter().any(|option| !(0.0..=f64::MAX).contains(option)) {
            return Err(Undefined::OptionOutOfRange);
        }
        check_room(votes)
    }

    fn converge<C: Ord + Clone + Sync>(
        &self,
        votes: &Votes<C>,
        mut probabilities: Vec<f64>,
    ) -> DawidSkeneFit<C> {
        let mut iterations = 0;
        loop {
            let counts = Counts::of(votes, &probabilities);
            let parameters =
                Parameters::estimate(&counts, self.marginal_prior, self.confusion_prior);
            let expectation = Expectation::of(votes, &parameters.likelihoods());
            iterations += 1;
            let converged = expectation.distance(&probabilities) <= self.tolerance;
            probabilities = expectation.probabilities;
            if converged || iterations >= self.most_iterations {
                return DawidSkeneFit {
                    labels: SoftLabels::new(
                        votes.categories().to_vec(),
                        votes.items(),
                        probabilities,
                    ),
                    confusions: parameters.confusions.matrices(),
                    marginals: parameters.marginals,
                    log_likelihood: expectation.log_likelihood,
                    iterations,
                    converged,
                };
            }
        }
    }
}
