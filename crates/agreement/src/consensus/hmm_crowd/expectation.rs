//! What votes say of all sequences if it is known how tags follow each other and how raters vote.

use super::chain::{Chain, ChainCounts};
use super::decoding::most_probable;
use super::emissions::Emissions;
use super::smoothing::Filtered;
use crate::arithmetic::fixed::Fixed;
use crate::arithmetic::number::{count64, float};
use crate::consensus::cells::Cells;
use crate::consensus::expectation::{Expectation, add, in_parts};
use crate::consensus::{Sequences, Votes};

/// How tags follow each other, and the logarithms of how raters vote.
pub(super) struct Model {
    pub(super) chain: Chain,
    pub(super) confusions: Cells<Fixed>,
}

/// What is expected of one part of the sequences.
struct Expected {
    /// Of the items of its sequences, one after the other.
    probabilities: Vec<f64>,
    counts: ChainCounts,
    log_likelihood: Fixed,
}

impl Model {
    /// What is expected of items, and how often what follows what. Nothing is expected of sequences without
    /// votes, and nothing is said of items without.
    pub(super) fn expect<C: Ord + Clone + Sync>(
        &self,
        votes: &Votes<C>,
        sequences: &Sequences,
    ) -> (Expectation, ChainCounts) {
        let categories = votes.categories().len();
        let parts = in_parts(sequences.len(), |part| {
            let mut found = Expected {
                probabilities: Vec::new(),
                counts: ChainCounts::none(categories),
                log_likelihood: Fixed::ZERO,
            };
            for sequence in part.map(|place| sequences.sequence(place)) {
                if has_votes(votes, sequence) {
                    self.expect_sequence(votes, sequence, &mut found);
                }
            }
            found
        });
        let mut probabilities = vec![0.0; votes.items() * categories];
        let mut counts = ChainCounts::none(categories);
        let mut log_likelihood = Fixed::ZERO;
        let mut judged = sequences.iter().filter(|sequence| has_votes(votes, sequence)).flatten();
        for part in parts {
            add(&mut counts.starts, &part.counts.starts);
            add(&mut counts.transitions, &part.counts.transitions);
            log_likelihood += part.log_likelihood;
            for (row, &item) in part.probabilities.chunks(categories.max(1)).zip(judged.by_ref()) {
                let start = item * categories;
                if let Some(place) = probabilities.get_mut(start..start + categories)
                    && !votes.votes(item).is_empty()
                {
                    place.copy_from_slice(row);
                }
            }
        }
        (Expectation { probabilities, log_likelihood: log_likelihood.value() }, counts)
    }

    fn expect_sequence<C: Ord + Clone>(
        &self,
        votes: &Votes<C>,
        sequence: &[usize],
        found: &mut Expected,
    ) {
        let categories = votes.categories().len();
        let emissions = Emissions::of(votes, sequence, &self.confusions);
        let filtered = Filtered::of(&self.chain, &emissions);
        let mut transitions = vec![0.0; categories * categories];
        let probabilities = filtered.smooth(&mut transitions);
        let starts: Vec<Fixed> =
            probabilities.iter().take(categories).copied().map(Fixed::new).collect();
        add(&mut found.counts.starts, &starts);
        // A mean always fits, and so often it is the sum.
        let length = count64(sequence.len());
        let means = transitions.iter().map(|&sum| Fixed::new(sum / float(length)).times(length));
        add(&mut found.counts.transitions, &means.collect::<Vec<Fixed>>());
        found.log_likelihood +=
            emissions.common + Fixed::new(filtered.log_likelihood / float(length)).times(length);
        found.probabilities.extend(probabilities);
    }

    /// The place of each item's category in the most probable sequences; nothing for an item without votes.
    pub(super) fn decode<C: Ord + Clone + Sync>(
        &self,
        votes: &Votes<C>,
        sequences: &Sequences,
    ) -> Vec<Option<usize>> {
        let parts = in_parts(sequences.len(), |part| {
            let sequences = part.map(|place| sequences.sequence(place));
            let path = |sequence: &[usize]| {
                let emissions = Emissions::of(votes, sequence, &self.confusions);
                most_probable(&self.chain, &emissions)
            };
            sequences.flat_map(path).collect::<Vec<usize>>()
        });
        let mut tags = vec![None; votes.items()];
        for (&item, category) in sequences.iter().flatten().zip(parts.into_iter().flatten()) {
            if let Some(tag) = tags.get_mut(item)
                && !votes.votes(item).is_empty()
            {
                *tag = Some(category);
            }
        }
        tags
    }
}

/// How often what follows what if nothing but the shares of votes is known, and neighbours are independent.
pub(super) fn counts_of_shares(
    shares: &[f64],
    categories: usize,
    sequences: &Sequences,
) -> ChainCounts {
    let row = |item: usize| {
        let start = item * categories;
        shares.get(start..start + categories).unwrap_or(&[])
    };
    let mut counts = ChainCounts::none(categories);
    for sequence in sequences.iter() {
        let first: Vec<Fixed> = sequence
            .first()
            .into_iter()
            .flat_map(|&item| row(item))
            .map(|&it| Fixed::new(it))
            .collect();
        add(&mut counts.starts, &first);
        for (&before, &after) in sequence.iter().zip(sequence.iter().skip(1)) {
            let rows = counts.transitions.chunks_mut(categories.max(1));
            for (before, counts) in row(before).iter().zip(rows) {
                for (after, count) in row(after).iter().zip(counts) {
                    *count += Fixed::new(before * after);
                }
            }
        }
    }
    counts
}

fn has_votes<C: Ord + Clone>(votes: &Votes<C>, sequence: &[usize]) -> bool {
    sequence.iter().any(|&item| !votes.votes(item).is_empty())
}
