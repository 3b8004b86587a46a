//! Who knows how often, and what they say if they do not.

use super::training::MaceTraining;
use crate::SplitMix64;
use crate::arithmetic::fixed::Fixed;
use crate::arithmetic::number::{count64, float};
use crate::consensus::Votes;
use crate::consensus::cells::Cells;
use crate::consensus::expectation::{Counts, Likelihoods, share};
use crate::consensus::votes::Vote;
use crate::inference::distributions::digamma::digamma;

/// How far numbers that are drawn lie apart, before they are made to add up to 1.
const NOISE: f64 = 0.5;

/// The parameters of the model.
#[derive(PartialEq)]
pub(super) struct Habits {
    /// How probable it is that a rater knows.
    pub(super) competences: Vec<f64>,
    /// How probable each category is if a rater guesses.
    pub(super) strategies: Vec<Vec<f64>>,
    /// What stands for these probabilities when votes are weighed.
    weights: Vec<Weights>,
}

/// What stands for a rater's probabilities: they themselves, or exponentials of the means of their
/// logarithms.
#[derive(PartialEq)]
struct Weights {
    knowing: f64,
    /// Of each category, by guessing.
    guesses: Vec<f64>,
}

impl Habits {
    /// Drawn at random: all much alike.
    pub(super) fn draw<C: Ord + Clone>(votes: &Votes<C>, random: &mut SplitMix64) -> Self {
        // 53 bits fill a number.
        let mut one = || 1.0 + NOISE * float(random.draw() >> 11) / 9_007_199_254_740_992.0;
        let mut shares = |count: usize| {
            let drawn: Vec<f64> = (0..count).map(|_| one()).collect();
            let sum: f64 = drawn.iter().sum();
            drawn.into_iter().map(|part| part / sum).collect::<Vec<f64>>()
        };
        let raters = 0..votes.raters();
        let competences = raters.clone().filter_map(|_| shares(2).first().copied()).collect();
        let strategies = raters.map(|_| shares(votes.categories().len())).collect();
        Self::plain(competences, strategies)
    }

    fn plain(competences: Vec<f64>, strategies: Vec<Vec<f64>>) -> Self {
        let weights = competences.iter().zip(&strategies).map(|(&knowing, strategy)| Weights {
            knowing,
            guesses: strategy.iter().map(|share| (1.0 - knowing) * share).collect(),
        });
        Self { weights: weights.collect(), competences, strategies }
    }

    /// How votes are cast by these habits; all categories are equally probable.
    pub(super) fn likelihoods<C: Ord + Clone>(&self, votes: &Votes<C>) -> Likelihoods {
        let categories = votes.categories().len();
        let even = Fixed::ln(1.0 / float(count64(categories).max(1)));
        let mut cells = Cells::filled(Fixed::ZERO, votes);
        for (rater, weights) in self.weights.iter().enumerate() {
            for (category, &guess) in weights.guesses.iter().enumerate() {
                for (truth, cell) in cells.row_mut(Vote { rater, category }).iter_mut().enumerate()
                {
                    let known = if truth == category { weights.knowing } else { 0.0 };
                    *cell = Fixed::ln(known + guess);
                }
            }
        }
        Likelihoods { marginals: vec![even; categories], votes: cells }
    }

    /// Estimates them anew from how often what is expected: a vote for what is true is one of
    /// knowledge or a lucky guess, any other a guess.
    pub(super) fn estimate(&self, counts: &Counts, training: MaceTraining) -> Self {
        let mut known = Vec::new();
        let mut guessed = Vec::new();
        for (weights, rows) in self.weights.iter().zip(counts.votes.by_rater()) {
            let mut sum = 0.0;
            let of_said = rows.zip(&weights.guesses).enumerate().map(|(said, (row, &guess))| {
                let right = row.get(said).map_or(0.0, |count| count.value());
                let all = weights.knowing + guess;
                let knowing = if all > 0.0 { right * weights.knowing / all } else { 0.0 };
                sum += knowing;
                (row.iter().copied().sum::<Fixed>().value() - knowing).max(0.0)
            });
            guessed.push(of_said.collect::<Vec<f64>>());
            known.push(sum);
        }
        match training {
            MaceTraining::Likelihood { smoothing } => most_probable(&known, &guessed, smoothing),
            MaceTraining::Variational { competence_prior, strategy_prior } => {
                all_possible(&known, &guessed, competence_prior, strategy_prior)
            }
        }
    }
}

/// The mode, after a part of `smoothing` was added to each count.
fn most_probable(known: &[f64], guessed: &[Vec<f64>], smoothing: f64) -> Habits {
    let of_rater = |(&known, guessed): (&f64, &Vec<f64>)| {
        let added = smoothing / float(count64(guessed.len()).max(1));
        let sum: f64 = guessed.iter().sum();
        let strategy = guessed.iter().map(|&count| share(count, sum, added, guessed.len()));
        (share(known, known + sum, added, 2), strategy.collect::<Vec<f64>>())
    };
    let (competences, strategies) = known.iter().zip(guessed).map(of_rater).unzip();
    Habits::plain(competences, strategies)
}

/// The means, and the exponentials of the means of the logarithms.
fn all_possible(known: &[f64], guessed: &[Vec<f64>], competence: f64, strategy: f64) -> Habits {
    let mut habits =
        Habits { competences: Vec::new(), strategies: Vec::new(), weights: Vec::new() };
    for (&known, guessed) in known.iter().zip(guessed) {
        let sum: f64 = guessed.iter().sum();
        let weight = |count: f64, of: f64, prior: f64, parts: usize| {
            let all = of + prior * float(count64(parts));
            libm::exp(digamma(count + prior) - digamma(all))
        };
        let guessing = weight(sum, known + sum, competence, 2);
        let parts = guessed.len();
        habits.competences.push(share(known, known + sum, competence, 2));
        habits.strategies.push(guessed.iter().map(|&it| share(it, sum, strategy, parts)).collect());
        habits.weights.push(Weights {
            knowing: weight(known, known + sum, competence, 2),
            guesses: guessed
                .iter()
                .map(|&it| guessing * weight(it, sum, strategy, parts))
                .collect(),
        });
    }
    habits
}
