//! What adds up over stretches of a continuum: units and gaps by length, and what two raters'
//! units differ by. Only the gaps at the seams have to be looked at again.

use super::differences::{Group, pair_difference, square, times_less_one};
use crate::arithmetic::u256::U256;

/// One category's units on a stretch of the continuum.
#[derive(Clone, Debug)]
pub(super) struct Stretches {
    length: u64,
    /// Σδ² over unordered pairs of raters.
    difference: U256,
    /// How many units there are of each of the lengths.
    units: Vec<u64>,
    /// Those between units, by how many of the lengths fit into them.
    gaps: Vec<Gaps>,
    /// Before the first unit and after the last of each rater; none for who marked nothing.
    edges: Vec<Option<(u64, u64)>>,
}

/// Gaps that units of the same lengths fit into.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gaps {
    pub(super) number: u64,
    total: u128,
}

/// The lengths that units of a category have, sorted.
pub(super) fn unit_lengths(group: &Group) -> Vec<u64> {
    let mut lengths: Vec<u64> = group.iter().flatten().map(|(begin, end)| end - begin).collect();
    lengths.sort_unstable();
    lengths.dedup();
    lengths
}

impl Stretches {
    /// Counts a stretch; `None` where a number leaves its bits.
    pub(super) fn of(group: &Group, length: u64, lengths: &[u64]) -> Option<Self> {
        let mut difference = U256::default();
        for (index, first) in group.iter().enumerate() {
            for second in group.iter().skip(index + 1) {
                difference = difference.checked_add(pair_difference(first, second)?)?;
            }
        }
        let mut units = vec![0; lengths.len()];
        let mut gaps = vec![Gaps::default(); lengths.len() + 1];
        let mut edges = Vec::with_capacity(group.len());
        for stretches in group {
            for (begin, end) in stretches {
                let place = lengths.binary_search(&(end - begin)).ok()?;
                *units.get_mut(place)? += 1;
            }
            for (left, right) in stretches.iter().zip(stretches.iter().skip(1)) {
                add_gap(&mut gaps, lengths, right.0 - left.1, 1);
            }
            let ends = stretches.first().zip(stretches.last());
            edges.push(ends.map(|(first, last)| (first.0, length - last.1)));
        }
        Some(Self { length, difference, units, gaps, edges })
    }
}

fn add_gap(gaps: &mut [Gaps], lengths: &[u64], gap: u64, times: u64) {
    let fitting = lengths.partition_point(|&length| length <= gap);
    if let Some(gaps) = gaps.get_mut(fitting).filter(|_| gap > 0) {
        gaps.number += times;
        gaps.total += u128::from(gap) * u128::from(times);
    }
}

/// The sums over stretches laid end to end.
pub(super) struct Sums<'a> {
    lengths: &'a [u64],
    pub(super) length: u64,
    pub(super) difference: U256,
    units: Vec<u64>,
    pub(super) gaps: Vec<Gaps>,
    /// For each rater, how long ago their last unit ended.
    open: Vec<u64>,
}

impl<'a> Sums<'a> {
    pub(super) fn new(lengths: &'a [u64], raters: usize) -> Self {
        Self {
            lengths,
            length: 0,
            difference: U256::default(),
            units: vec![0; lengths.len()],
            gaps: vec![Gaps::default(); lengths.len() + 1],
            open: vec![0; raters],
        }
    }

    /// Adds a stretch so many times in a row.
    pub(super) fn add(&mut self, stretch: &Stretches, times: u32) -> Option<()> {
        if times == 0 {
            return Some(());
        }
        let times = u64::from(times);
        let difference = stretch.difference.checked_mul(times.into())?;
        self.difference = self.difference.checked_add(difference)?;
        self.length = self.length.checked_add(stretch.length.checked_mul(times)?)?;
        for (sum, units) in self.units.iter_mut().zip(&stretch.units) {
            *sum += units * times;
        }
        for (sum, gaps) in self.gaps.iter_mut().zip(&stretch.gaps) {
            sum.number += gaps.number * times;
            sum.total += gaps.total * u128::from(times);
        }
        for (open, edges) in self.open.iter_mut().zip(&stretch.edges) {
            let Some((head, tail)) = *edges else {
                *open += stretch.length * times;
                continue;
            };
            add_gap(&mut self.gaps, self.lengths, *open + head, 1);
            add_gap(&mut self.gaps, self.lengths, tail + head, times - 1);
            *open = tail;
        }
        Some(())
    }

    /// Ends the continuum: what is open is a gap.
    pub(super) fn end(&mut self) {
        for open in std::mem::take(&mut self.open) {
            add_gap(&mut self.gaps, self.lengths, open, 1);
        }
    }

    /// How often units have which length.
    pub(super) fn units(&self) -> impl DoubleEndedIterator<Item = (u64, u64)> {
        self.lengths.iter().copied().zip(self.units.iter().copied())
    }

    /// The sum over units in `D_e`.
    pub(super) fn chance(&self) -> Option<U256> {
        let others = self.units().map(|(_, times)| times).sum::<u64>().saturating_sub(1);
        // l(l − 1)(2l − 1) is 2l³ − 3l² + l, and one of its two factors is a multiple of 3.
        let cubes: Option<U256> = self
            .units()
            .map(|(length, times)| {
                let (product, odd) = (times_less_one(length), 2 * u128::from(length) - 1);
                let cube = if product.is_multiple_of(3) {
                    U256::product(product / 3, odd)
                } else {
                    U256::product(product, odd / 3)
                };
                cube.checked_mul(times.into())
            })
            .try_fold(U256::default(), |sum, cube| sum.checked_add(cube?));
        let mut sum = cubes?.checked_mul(others.into())?;
        let (mut number, mut total) = (0_u128, 0_u128);
        // From the longest: the gaps into which a length fits are those of the longer ones, and
        // those in which it is the longest that fits.
        let fitting = self.gaps.iter().skip(1).rev();
        for ((length, times), gaps) in self.units().rev().zip(fitting) {
            number += u128::from(gaps.number);
            total += gaps.total;
            let places = total - number * (u128::from(length) - 1);
            let chance = U256::product(square(length), places).checked_mul(times.into())?;
            sum = sum.checked_add(chance)?;
        }
        Some(sum)
    }
}
