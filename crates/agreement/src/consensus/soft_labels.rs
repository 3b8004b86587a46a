//! How probable each category is for each item.

use super::Votes;
use crate::arithmetic::fixed::Fixed;
use crate::arithmetic::number::float;

/// Probabilities that differ by less are a tie.
const TIE: f64 = 1e-9;

/// How probable each category is for each item that somebody has judged.
#[derive(Clone, Debug, PartialEq)]
pub struct SoftLabels<C> {
    categories: Vec<C>,
    items: usize,
    /// At `item * categories + category`; all 0 for an item that nobody has judged.
    probabilities: Vec<f64>,
}

/// The most probable category of an item.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice<'a, C> {
    /// The category; of several that are tied the first in order.
    pub category: &'a C,
    /// How probable it is, from 0 to 1.
    pub probability: f64,
    /// All categories that are as probable (to 10⁻⁹), this one too: more than one is a tie.
    pub tied: Vec<&'a C>,
}

impl<C> SoftLabels<C> {
    pub(super) fn new(categories: Vec<C>, items: usize, probabilities: Vec<f64>) -> Self {
        Self { categories, items, probabilities }
    }

    /// The categories, sorted.
    pub fn categories(&self) -> &[C] {
        &self.categories
    }

    /// How many items (or patterns of items) there are.
    pub fn items(&self) -> usize {
        self.items
    }

    /// The probability of each category for an item, in the order of [`Self::categories`]; they add
    /// up to 1. Nothing for an item that nobody has judged.
    pub fn item(&self, item: usize) -> Option<&[f64]> {
        let start = item.checked_mul(self.categories.len())?;
        let row = self.probabilities.get(start..start.checked_add(self.categories.len())?)?;
        row.iter().any(|&probability| probability > 0.0).then_some(row)
    }

    /// The most probable category of an item; nothing for one that nobody has judged.
    pub fn choice(&self, item: usize) -> Option<Choice<'_, C>> {
        let row = self.item(item)?;
        let probability = row.iter().copied().fold(0.0, f64::max);
        let leading = self.categories.iter().zip(row);
        let tied: Vec<&C> = leading
            .filter(|&(_, &other)| probability - other < TIE)
            .map(|(category, _)| category)
            .collect();
        let category = tied.first().copied()?;
        Some(Choice { category, probability, tied })
    }

    /// How uncertain an item's category is, in nats: 0 if one is certain, at most the logarithm of
    /// the number of categories. Nothing for an item that nobody has judged.
    pub fn entropy(&self, item: usize) -> Option<f64> {
        let row = self.item(item)?.iter().filter(|&&probability| probability > 0.0);
        let terms = row.map(|&probability| Fixed::new(-probability * libm::log(probability)));
        Some(terms.sum::<Fixed>().value())
    }
}

impl<C: Ord + Clone> SoftLabels<C> {
    /// How probable it is that a vote of each rater is right: the mean of the probabilities of what
    /// they said. Nothing for a rater without votes.
    pub fn accuracies(&self, votes: &Votes<C>) -> Vec<Option<f64>> {
        let mut sums = vec![(Fixed::ZERO, 0_u64); votes.raters()];
        for item in 0..votes.items() {
            let Some(row) = self.item(item) else { continue };
            let times = votes.times(item);
            for vote in votes.votes(item) {
                let probability = row.get(vote.category).copied().unwrap_or(0.0);
                if let Some((sum, count)) = sums.get_mut(vote.rater) {
                    *sum += Fixed::new(probability).times(times);
                    *count += times;
                }
            }
        }
        let mean = |(sum, count): (Fixed, u64)| (count > 0).then(|| sum.value() / float(count));
        sums.into_iter().map(mean).collect()
    }
}
