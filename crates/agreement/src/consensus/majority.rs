//! Every vote counts the same.

use super::cells::check_items;
use super::{SoftLabels, Votes};
use crate::Undefined;
use crate::arithmetic::number::{count64, float};

/// The share of an item's votes that each category has.
///
/// The category with the most votes is the [`choice`](SoftLabels::choice), ties and all: none is
/// broken at random. Everybody is trusted alike.
///
/// Undefined without votes ([`Undefined::NoSharedPositions`]), and with more than 2²⁶ probabilities, one of
/// each category for each item ([`Undefined::TooMuchToLearn`]).
pub fn majority_vote<C: Ord + Clone>(votes: &Votes<C>) -> Result<SoftLabels<C>, Undefined> {
    check_items(votes)?;
    Ok(SoftLabels::new(votes.categories().to_vec(), votes.items(), shares(votes)))
}

/// The same, at `item * categories + category`.
pub(super) fn shares<C: Ord + Clone>(votes: &Votes<C>) -> Vec<f64> {
    let mut shares = Vec::with_capacity(votes.items() * votes.categories().len());
    for item in 0..votes.items() {
        let votes_on_it = votes.votes(item);
        let mut counts = vec![0_u64; votes.categories().len()];
        for vote in votes_on_it {
            if let Some(count) = counts.get_mut(vote.category) {
                *count += 1;
            }
        }
        // Without votes all counts are 0.
        let all = float(count64(votes_on_it.len()).max(1));
        shares.extend(counts.into_iter().map(|count| float(count) / all));
    }
    shares
}
