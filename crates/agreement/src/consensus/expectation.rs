//! What votes say of items if it is known how raters vote, and what they then say of raters.

use super::Votes;
use super::cells::Cells;
use crate::arithmetic::fixed::Fixed;
use crate::arithmetic::number::{count64, float};
use crate::arithmetic::parallel;

/// How items come to their categories, and votes to be cast; logarithms of probabilities.
pub(super) struct Likelihoods {
    /// Of each category, before any vote.
    pub(super) marginals: Vec<Fixed>,
    /// Of each vote, by what is true.
    pub(super) votes: Cells<Fixed>,
}

/// What is expected of items.
pub(super) struct Expectation {
    /// At `item * categories + category`; all 0 for an item without votes.
    pub(super) probabilities: Vec<f64>,
    /// The logarithm of the probability of all votes.
    pub(super) log_likelihood: f64,
}

/// How often what is expected, over all items.
pub(super) struct Counts {
    /// Items of each category; those without votes are left out.
    pub(super) items: Vec<Fixed>,
    /// Votes, by what is true.
    pub(super) votes: Cells<Fixed>,
}

impl Expectation {
    /// The probability of each category for each item, given all votes on it, by Bayes' theorem.
    pub(super) fn of<C: Ord + Clone + Sync>(votes: &Votes<C>, likelihoods: &Likelihoods) -> Self {
        let parts = in_parts(votes.items(), |items| {
            let mut probabilities = Vec::new();
            let mut log_likelihood = Fixed::ZERO;
            for item in items {
                let votes_on_it = votes.votes(item);
                let mut sums = likelihoods.marginals.clone();
                for &vote in votes_on_it {
                    add(&mut sums, likelihoods.votes.row(vote));
                }
                if votes_on_it.is_empty() {
                    probabilities.extend(sums.iter().map(|_| 0.0));
                } else {
                    log_likelihood += normalize(&sums, &mut probabilities).times(votes.times(item));
                }
            }
            (probabilities, log_likelihood)
        });
        let mut all = Vec::with_capacity(votes.items() * votes.categories().len());
        let mut log_likelihood = Fixed::ZERO;
        for (probabilities, part) in parts {
            all.extend(probabilities);
            log_likelihood += part;
        }
        Self { probabilities: all, log_likelihood: log_likelihood.value() }
    }

    /// How far the farthest probability is from another expectation's.
    pub(super) fn distance(&self, probabilities: &[f64]) -> f64 {
        let apart = self.probabilities.iter().zip(probabilities).map(|(a, b)| (a - b).abs());
        apart.fold(0.0, f64::max)
    }
}

impl Counts {
    /// Counts each item as much in a category as the category is probable for it.
    pub(super) fn of<C: Ord + Clone + Sync>(votes: &Votes<C>, probabilities: &[f64]) -> Self {
        let categories = votes.categories().len();
        let none = || Self {
            items: vec![Fixed::ZERO; categories],
            votes: Cells::filled(Fixed::ZERO, votes),
        };
        let parts = in_parts(votes.items(), |items| {
            let mut counts = none();
            for item in items {
                let start = item * categories;
                let row = probabilities.get(start..start + categories).unwrap_or(&[]);
                let row: Vec<Fixed> =
                    row.iter().map(|&it| Fixed::new(it).times(votes.times(item))).collect();
                let votes_on_it = votes.votes(item);
                if !votes_on_it.is_empty() {
                    add(&mut counts.items, &row);
                }
                for &vote in votes_on_it {
                    add(counts.votes.row_mut(vote), &row);
                }
            }
            counts
        });
        parts.into_iter().fold(none(), |mut all, part| {
            add(&mut all.items, &part.items);
            add(all.votes.numbers_mut(), part.votes.numbers());
            all
        })
    }
}

pub(super) fn add(sums: &mut [Fixed], numbers: &[Fixed]) {
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum += *number;
    }
}

/// The same for a part of the items, or of the sequences, on each thread.
pub(super) fn in_parts<T: Send>(
    items: usize,
    task: impl Fn(std::ops::Range<usize>) -> T + Send + Sync,
) -> Vec<T> {
    let parts = parallel::threads().max(1);
    let size = items.div_ceil(parts);
    parallel::map(parts, |part| task((part * size).min(items)..((part + 1) * size).min(items)))
}

/// Appends the probabilities whose logarithms, but for a common addend, are given; and returns the
/// logarithm of the sum.
pub(super) fn normalize(logarithms: &[Fixed], probabilities: &mut Vec<f64>) -> Fixed {
    let Some(&most) = logarithms.iter().max() else { return Fixed::ZERO };
    let weights: Vec<Fixed> =
        logarithms.iter().map(|&it| Fixed::new(libm::exp((it - most).value()))).collect();
    let sum: Fixed = weights.iter().copied().sum();
    probabilities.extend(weights.iter().map(|weight| weight.value() / sum.value()));
    most + Fixed::ln(sum.value())
}

/// A part of a whole, with so much added to each of so many parts; an even share if there is nothing.
pub(super) fn share(part: f64, whole: f64, prior: f64, parts: usize) -> f64 {
    let parts = float(count64(parts));
    let all = whole + parts * prior;
    if all > 0.0 { (part + prior) / all } else { 1.0 / parts }
}
