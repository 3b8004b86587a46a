//! What raters say of what is true.

use super::Votes;
use super::cells::Cells;
use super::expectation::share;
use super::votes::Vote;
use crate::arithmetic::fixed::Fixed;
use crate::arithmetic::number::{count64, float};

/// How much of an earlier probability is spread over all that are possible: from 0 none would ever rise.
const SPREAD: f64 = 0.01;

/// The probability of what each rater says, by what is true.
pub(super) struct Confusions(Cells<f64>);

impl Confusions {
    /// The most probable ones, given how often what was said: equation 2.3 of Dawid and Skene (1979), with
    /// a prior added to the counts.
    pub(super) fn estimate(votes: &Cells<Fixed>, prior: f64) -> Self {
        let mut confusions = Vec::with_capacity(votes.numbers().len());
        for rows in votes.by_rater() {
            let rows: Vec<&[Fixed]> = rows.collect();
            let mut sums = vec![Fixed::ZERO; rows.len()];
            for row in &rows {
                sums.iter_mut().zip(*row).for_each(|(sum, count)| *sum += *count);
            }
            for (&count, &sum) in rows.iter().flat_map(|row| row.iter().zip(&sums)) {
                confusions.push(share(count.value(), sum.value(), prior, rows.len()));
            }
        }
        Self(votes.with(confusions))
    }

    /// Earlier ones, spread; of raters beyond them nothing is known.
    pub(super) fn spread<C: Ord + Clone>(votes: &Votes<C>, matrices: &[Vec<Vec<f64>>]) -> Self {
        let even = even(votes.categories().len());
        let mut confusions = Cells::filled(even, votes);
        for (rater, matrix) in matrices.iter().enumerate().take(votes.raters()) {
            for category in 0..votes.categories().len() {
                let row = confusions.row_mut(Vote { rater, category });
                for (cell, by_truth) in row.iter_mut().zip(matrix) {
                    *cell = spread(by_truth.get(category).copied().unwrap_or(even), even);
                }
            }
        }
        Self(confusions)
    }

    pub(super) fn logarithms(&self) -> Cells<Fixed> {
        self.0.with(self.0.numbers().iter().copied().map(Fixed::ln).collect())
    }

    /// For each rater, by what is true, the probability of what they say.
    pub(super) fn matrices(&self) -> Vec<Vec<Vec<f64>>> {
        let matrix = |rows: Vec<&[f64]>| {
            let truths = 0..rows.len();
            let of = |truth: usize| rows.iter().filter_map(|row| row.get(truth).copied()).collect();
            truths.map(of).collect()
        };
        self.0.by_rater().map(|rows| matrix(rows.collect())).collect()
    }
}

/// A probability of which a hundredth was spread over others, of which each gets the same.
pub(super) fn spread(probability: f64, even: f64) -> f64 {
    (1.0 - SPREAD) * probability + SPREAD * even
}

/// The probability of each of so many where nothing is known.
pub(super) fn even(parts: usize) -> f64 {
    1.0 / float(count64(parts).max(1))
}
