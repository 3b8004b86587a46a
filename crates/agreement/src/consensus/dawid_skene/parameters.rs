//! How often categories are true, and what raters then say.

use crate::arithmetic::fixed::Fixed;
use crate::arithmetic::number::{count64, float};
use crate::consensus::Votes;
use crate::consensus::cells::Cells;
use crate::consensus::expectation::{Counts, Likelihoods, share};
use crate::consensus::votes::Vote;

/// How much of an earlier probability is spread over all categories.
const SPREAD: f64 = 0.01;

/// The parameters of the model.
pub(super) struct Parameters {
    /// The probability of each category.
    pub(super) marginals: Vec<f64>,
    /// The probability of what each rater says, by what is true.
    confusions: Cells<f64>,
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
        let mut confusions = Vec::with_capacity(counts.votes.numbers().len());
        for rows in counts.votes.by_rater() {
            let rows: Vec<&[Fixed]> = rows.collect();
            let mut sums = vec![Fixed::ZERO; counts.items.len()];
            for row in &rows {
                sums.iter_mut().zip(*row).for_each(|(sum, count)| *sum += *count);
            }
            for (&count, &sum) in rows.iter().flat_map(|row| row.iter().zip(&sums)) {
                confusions.push(share(count.value(), sum.value(), confusion_prior, rows.len()));
            }
        }
        Self { marginals, confusions: counts.votes.with(confusions) }
    }

    /// Earlier ones, spread; of raters beyond them nothing is known.
    pub(super) fn spread<C: Ord + Clone>(
        votes: &Votes<C>,
        marginals: &[f64],
        matrices: &[Vec<Vec<f64>>],
    ) -> Self {
        let even = 1.0 / float(count64(votes.categories().len()).max(1));
        let spread = |probability: f64| (1.0 - SPREAD) * probability + SPREAD * even;
        let mut confusions = Cells::filled(even, votes);
        for (rater, matrix) in matrices.iter().enumerate().take(votes.raters()) {
            for category in 0..votes.categories().len() {
                let row = confusions.row_mut(Vote { rater, category });
                for (cell, by_truth) in row.iter_mut().zip(matrix) {
                    *cell = spread(by_truth.get(category).copied().unwrap_or(even));
                }
            }
        }
        Self { marginals: marginals.iter().copied().map(spread).collect(), confusions }
    }

    pub(super) fn likelihoods(&self) -> Likelihoods {
        let logarithms = |numbers: &[f64]| numbers.iter().copied().map(Fixed::ln).collect();
        Likelihoods {
            marginals: logarithms(&self.marginals),
            votes: self.confusions.with(logarithms(self.confusions.numbers())),
        }
    }

    /// For each rater, by what is true, the probability of what they say.
    pub(super) fn matrices(&self) -> Vec<Vec<Vec<f64>>> {
        let matrix = |rows: Vec<&[f64]>| {
            let truths = 0..rows.len();
            let of = |truth: usize| rows.iter().filter_map(|row| row.get(truth).copied()).collect();
            truths.map(of).collect()
        };
        self.confusions.by_rater().map(|rows| matrix(rows.collect())).collect()
    }
}
