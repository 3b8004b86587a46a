//! How probable the votes on the items of a sequence are.

use crate::arithmetic::fixed::Fixed;
use crate::consensus::Votes;
use crate::consensus::cells::Cells;
use crate::consensus::expectation::add;

/// The logarithms of how probable the votes on each item are, by what is true of it, of which the largest is 0.
pub(super) struct Emissions {
    /// At `item * categories + category`.
    pub(super) logarithms: Vec<f64>,
    pub(super) categories: usize,
    /// What was taken away from all of an item, over all items.
    pub(super) common: Fixed,
}

impl Emissions {
    /// Of the items of a sequence; without votes on an item, all are 0.
    pub(super) fn of<C: Ord + Clone>(
        votes: &Votes<C>,
        sequence: &[usize],
        confusions: &Cells<Fixed>,
    ) -> Self {
        let categories = votes.categories().len();
        let mut logarithms = Vec::with_capacity(sequence.len() * categories);
        let mut common = Fixed::ZERO;
        let mut sums = vec![Fixed::ZERO; categories];
        for &item in sequence {
            sums.fill(Fixed::ZERO);
            for &vote in votes.votes(item) {
                add(&mut sums, confusions.row(vote));
            }
            let most = sums.iter().copied().max().unwrap_or_default();
            common += most;
            logarithms.extend(sums.iter().map(|&sum| (sum - most).value()));
        }
        Self { logarithms, categories, common }
    }

    /// Item by item, the logarithm of each category.
    pub(super) fn items(&self) -> impl Iterator<Item = &[f64]> {
        self.logarithms.chunks(self.categories.max(1))
    }
}
