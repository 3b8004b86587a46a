//! Raters of whom each knows the answer or guesses.

mod habits;
mod training;

use super::cells::check_room;
use super::expectation::{Counts, Expectation};
use super::{SoftLabels, Votes};
use crate::{SplitMix64, Undefined};
use habits::Habits;

pub use training::MaceTraining;

/// How raters are learned from, after Hovy, D., Berg-Kirkpatrick, T., Vaswani, A. and Hovy, E. (2013),
/// Learning whom to trust with MACE, *Proceedings of NAACL-HLT*, 1120–1130.
///
/// All categories are equally probable. Rater `j` knows that of an item with probability `θ_j`, their
/// competence, and then says it; else they say `k` with probability `ξ_jk`, whatever is true. That
/// is far less to learn than a matrix for each rater, and finds those who do not read what they
/// judge.
///
/// Training begins several times from numbers drawn at random; kept is what makes the votes most
/// probable. The same seed gives the same result; the order of items changes nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mace {
    /// How the parameters are estimated.
    pub training: MaceTraining,
    /// How often training begins; at least once.
    pub restarts: u32,
    /// How many steps are taken each time at most: where a step changes nothing any more, none after it does.
    pub iterations: u32,
    /// The seed of the numbers that training begins with.
    pub seed: u64,
}

impl Default for Mace {
    /// As in the paper: variational, with Beta(½, ½) and Dirichlet(10, …, 10), 10 times 50 steps at most.
    fn default() -> Self {
        Self {
            training: MaceTraining::Variational { competence_prior: 0.5, strategy_prior: 10.0 },
            restarts: 10,
            iterations: 50,
            seed: 1,
        }
    }
}

/// What was learned.
#[derive(Clone, Debug, PartialEq)]
pub struct MaceFit<C> {
    /// How probable each category is for each item.
    pub labels: SoftLabels<C>,
    /// How probable it is that a rater knows, `θ_j`; with variational training its mean. ½ for a
    /// rater without votes.
    pub competences: Vec<f64>,
    /// For each rater, how probable each category is if they guess, `ξ_j`.
    pub strategies: Vec<Vec<f64>>,
    /// The logarithm of the probability of all votes; with variational training, of weights that
    /// stand for it.
    pub log_likelihood: f64,
}

impl Mace {
    /// Learns from votes.
    ///
    /// Undefined without votes ([`Undefined::NoSharedPositions`]), with options out of range, with more
    /// than 2²² cells in the matrices that are computed with or 2²⁶ probabilities
    /// ([`Undefined::TooMuchToLearn`]), and if there is only one category, which is no guess to tell from
    /// knowledge ([`Undefined::NothingToGuess`]).
    pub fn fit<C: Ord + Clone + Sync>(&self, votes: &Votes<C>) -> Result<MaceFit<C>, Undefined> {
        let is_in_range = match self.training {
            MaceTraining::Likelihood { smoothing } => (0.0..=f64::MAX).contains(&smoothing),
            MaceTraining::Variational { competence_prior, strategy_prior } => {
                [competence_prior, strategy_prior].iter().all(|&it| it > 0.0 && it.is_finite())
            }
        };
        if !is_in_range {
            return Err(Undefined::OptionOutOfRange);
        }
        check_room(votes)?;
        if votes.categories().len() < 2 {
            return Err(Undefined::NothingToGuess);
        }
        let mut random = SplitMix64::new(self.seed);
        let (mut habits, mut best) = self.train(votes, &mut random);
        for _ in 1..self.restarts {
            let (others, expectation) = self.train(votes, &mut random);
            if expectation.log_likelihood > best.log_likelihood {
                (habits, best) = (others, expectation);
            }
        }
        Ok(MaceFit {
            labels: SoftLabels::new(votes.categories().to_vec(), votes.items(), best.probabilities),
            competences: habits.competences,
            strategies: habits.strategies,
            log_likelihood: best.log_likelihood,
        })
    }

    fn train<C: Ord + Clone + Sync>(
        &self,
        votes: &Votes<C>,
        random: &mut SplitMix64,
    ) -> (Habits, Expectation) {
        let mut habits = Habits::draw(votes, random);
        let mut expectation = Expectation::of(votes, &habits.likelihoods(votes));
        for _ in 0..self.iterations {
            let counts = Counts::of(votes, &expectation.probabilities);
            let next = habits.estimate(&counts, self.training);
            // From here on every step is the same.
            if next == habits {
                break;
            }
            habits = next;
            expectation = Expectation::of(votes, &habits.likelihoods(votes));
        }
        (habits, expectation)
    }
}
