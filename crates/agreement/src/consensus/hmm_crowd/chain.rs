//! What true tag a sequence begins with, and which follows which.

use crate::Undefined;
use crate::arithmetic::fixed::Fixed;
use crate::consensus::confusions::spread;
use crate::consensus::expectation::share;

/// Which categories may begin a sequence, and which may follow which.
pub(super) struct Order {
    starts: Vec<bool>,
    /// At `before * categories + after`.
    transitions: Vec<bool>,
}

/// The probability of each category at the beginning of a sequence, and after each category.
pub(super) struct Chain {
    pub(super) starts: Links,
    /// At `before * categories + after`.
    pub(super) transitions: Links,
}

/// Probabilities and their logarithms.
pub(super) struct Links {
    pub(super) probabilities: Vec<f64>,
    pub(super) logarithms: Vec<f64>,
}

/// How often sequences begin with what, and what follows what.
#[derive(Clone)]
pub(super) struct ChainCounts {
    pub(super) starts: Vec<Fixed>,
    /// At `before * categories + after`.
    pub(super) transitions: Vec<Fixed>,
}

impl Order {
    /// Undefined ([`Undefined::OptionOutOfRange`]) unless some category may begin and each may be followed.
    pub(super) fn of<C>(
        categories: &[C],
        may_follow: impl Fn(Option<&C>, &C) -> bool,
    ) -> Result<Self, Undefined> {
        let row = |before: Option<&C>| -> Vec<bool> {
            categories.iter().map(|category| may_follow(before, category)).collect()
        };
        let starts = row(None);
        let rows: Vec<Vec<bool>> = categories.iter().map(|before| row(Some(before))).collect();
        let goes_on = |row: &Vec<bool>| row.contains(&true);
        if !goes_on(&starts) || !rows.iter().all(goes_on) {
            return Err(Undefined::OptionOutOfRange);
        }
        Ok(Self { starts, transitions: rows.concat() })
    }
}

impl ChainCounts {
    pub(super) fn none(categories: usize) -> Self {
        Self {
            starts: vec![Fixed::ZERO; categories],
            transitions: vec![Fixed::ZERO; categories * categories],
        }
    }
}

impl Chain {
    /// The most probable one, given how often what is expected, with priors added to the counts of all that
    /// may be.
    pub(super) fn estimate(
        counts: &ChainCounts,
        order: &Order,
        start_prior: f64,
        transition_prior: f64,
    ) -> Self {
        let side = counts.starts.len().max(1);
        let rows = counts.transitions.chunks(side).zip(order.transitions.chunks(side));
        Self {
            starts: Links::of(shares(&counts.starts, &order.starts, start_prior)),
            transitions: Links::of(
                rows.flat_map(|(row, order)| shares(row, order, transition_prior)).collect(),
            ),
        }
    }

    /// An earlier one, spread over all that may be.
    pub(super) fn spread(starts: &[f64], transitions: &[Vec<f64>], order: &Order) -> Self {
        let rows = transitions.iter().zip(order.transitions.chunks(starts.len().max(1)));
        Self {
            starts: Links::of(spread_over(starts, &order.starts)),
            transitions: Links::of(rows.flat_map(|(row, order)| spread_over(row, order)).collect()),
        }
    }

    /// How many categories there are.
    pub(super) fn categories(&self) -> usize {
        self.starts.probabilities.len()
    }
}

impl Links {
    pub(super) fn of(probabilities: Vec<f64>) -> Self {
        let logarithms = probabilities.iter().copied().map(libm::log).collect();
        Self { probabilities, logarithms }
    }
}

/// The shares of counts, with a prior added to each that may be; the others are 0.
fn shares(counts: &[Fixed], order: &[bool], prior: f64) -> Vec<f64> {
    let allowed = || counts.iter().zip(order).filter(|&(_, &may_be)| may_be);
    let whole: Fixed = allowed().map(|(count, _)| *count).sum();
    let parts = allowed().count();
    let one = |(count, &may_be): (&Fixed, &bool)| {
        if may_be { share(count.value(), whole.value(), prior, parts) } else { 0.0 }
    };
    counts.iter().zip(order).map(one).collect()
}

/// Probabilities, a hundredth of which is spread over all that may be.
fn spread_over(probabilities: &[f64], order: &[bool]) -> Vec<f64> {
    let parts = order.iter().filter(|&&may_be| may_be).count();
    let even = crate::consensus::confusions::even(parts);
    // What may not be any more is left out of the whole.
    let whole: f64 =
        probabilities.iter().zip(order).filter(|&(_, &may_be)| may_be).map(|(it, _)| it).sum();
    let one = |(&probability, &may_be): (&f64, &bool)| match may_be {
        true if whole > 0.0 => spread(probability / whole, even),
        true => even,
        false => 0.0,
    };
    probabilities.iter().zip(order).map(one).collect()
}
