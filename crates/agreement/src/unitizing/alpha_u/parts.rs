//! The integers that Krippendorff's alpha for unitizing is made of, counted in walks along the units.

use crate::u256::{U256, one_minus};
use crate::{Continuum, Graded, Undefined};

/// Begin and end of a unit, relative to the continuum.
pub(super) type Stretch = (u64, u64);

/// One category's stretches, per rater, sorted and apart.
pub(super) type Group = Vec<Vec<Stretch>>;

/// The integers of one category; every quotient is taken at the end.
pub(super) struct Parts {
    pub(super) units: usize,
    pub(super) gaps: usize,
    /// Σδ² over unordered pairs of raters.
    pub(super) difference: U256,
    /// `R(R−1)/2 · L²`.
    pub(super) observed_scale: U256,
    /// The sum over units in `D_e`.
    chance: U256,
    /// `RL(RL−1) − Σ l(l−1)`.
    chance_scale: U256,
    /// `R(R−1)/2`.
    pairs: u128,
    length: u64,
}

impl Parts {
    pub(super) fn of<C>(group: &Group, continuum: &Continuum<C>) -> Result<Self, Undefined> {
        Self::counted(group, continuum).ok_or(Undefined::TooLarge)
    }

    fn counted<C>(group: &Group, continuum: &Continuum<C>) -> Option<Self> {
        let length = continuum.length();
        let raters = u128::try_from(group.len()).ok()?;
        let pairs = raters.checked_mul(raters.checked_sub(1)?)? / 2;

        let mut difference = U256::default();
        for (index, first) in group.iter().enumerate() {
            for second in group.iter().skip(index + 1) {
                difference = difference.checked_add(pair_difference(first, second)?)?;
            }
        }
        let mut units: Vec<u64> = group.iter().flatten().map(|(begin, end)| end - begin).collect();
        let mut gaps: Vec<u64> =
            group.iter().flat_map(|stretches| gap_lengths(stretches, length)).collect();
        units.sort_unstable();
        gaps.sort_unstable();

        let all = raters.checked_mul(length.into())?;
        let within: Option<U256> = units.iter().map(|&l| U256::from(times_less_one(l))).sum();
        Some(Self {
            units: units.len(),
            gaps: gaps.len(),
            difference,
            observed_scale: U256::product(length.into(), length.into())
                .checked_mul(pairs.into())?,
            chance: chance(&units, &gaps)?,
            chance_scale: U256::product(all, all.saturating_sub(1)).checked_sub(within?)?,
            pairs,
            length,
        })
    }

    pub(super) fn observed(&self) -> f64 {
        quotient(self.difference, self.observed_scale)
    }

    pub(super) fn expected(&self) -> f64 {
        let twice = self.chance.to_f64() * 2.0;
        let scale = self.chance_scale.checked_mul(self.length.into());
        let scale = scale.map_or_else(
            || self.chance_scale.to_f64() * U256::from(self.length).to_f64(),
            U256::to_f64,
        );
        if scale > 0.0 { twice / scale } else { 0.0 }
    }

    pub(super) fn alpha(&self) -> Result<Graded, Undefined> {
        if self.units == 0 {
            return Err(Undefined::CategoryNotUsed);
        }
        if self.chance.is_zero() {
            return Err(Undefined::NoExpectedDisagreement);
        }
        let (observed, expected) = (self.observed(), self.expected());
        let value = self.exact_value().unwrap_or(1.0 - observed / expected);
        Ok(Graded { value, observed, expected })
    }

    /// `D_o / D_e` as one fraction; `None` where that takes more than 256 bits.
    fn exact_value(&self) -> Option<f64> {
        let part = self.difference.checked_mul(self.chance_scale)?;
        let whole = self
            .chance
            .checked_mul(U256::product(self.pairs.checked_mul(2)?, self.length.into()))?;
        Some(one_minus(part, whole))
    }
}

fn quotient(part: U256, whole: U256) -> f64 {
    if whole.is_zero() { 0.0 } else { part.to_f64() / whole.to_f64() }
}

/// `l(l − 1)`.
fn times_less_one(length: u64) -> u128 {
    u128::from(length) * u128::from(length.saturating_sub(1))
}

fn square(length: u64) -> u128 {
    u128::from(length) * u128::from(length)
}

/// Σδ² of two raters, in one walk along each.
fn pair_difference(first: &[Stretch], second: &[Stretch]) -> Option<U256> {
    let mut sum = lonely(first, second)?.checked_add(lonely(second, first)?)?;
    let mut candidates = second;
    for &(begin, end) in first {
        candidates = candidates.get(passed(candidates, begin)..)?;
        for &(other_begin, other_end) in candidates.iter().take_while(|other| other.0 < end) {
            let begins = U256::from(square(begin.abs_diff(other_begin)));
            let ends = U256::from(square(end.abs_diff(other_end)));
            sum = sum.checked_add(begins)?.checked_add(ends)?;
        }
    }
    Some(sum)
}

/// Σl² of the units that meet none of the other's.
fn lonely(units: &[Stretch], others: &[Stretch]) -> Option<U256> {
    let mut sum = U256::default();
    let mut candidates = others;
    for &(begin, end) in units {
        candidates = candidates.get(passed(candidates, begin)..)?;
        if candidates.first().is_none_or(|other| other.0 >= end) {
            sum = sum.checked_add(square(end - begin).into())?;
        }
    }
    Some(sum)
}

/// How many stretches end before or at a point.
fn passed(stretches: &[Stretch], point: u64) -> usize {
    stretches.iter().take_while(|stretch| stretch.1 <= point).count()
}

fn gap_lengths(stretches: &[Stretch], length: u64) -> impl Iterator<Item = u64> {
    let ends = std::iter::once(0).chain(stretches.iter().map(|stretch| stretch.1));
    let begins = stretches.iter().map(|stretch| stretch.0).chain(std::iter::once(length));
    ends.zip(begins).map(|(end, begin)| begin - end).filter(|&gap| gap > 0)
}

/// The sum over units in `D_e`; both lists are sorted.
fn chance(units: &[u64], gaps: &[u64]) -> Option<U256> {
    let others = u128::try_from(units.len()).ok()?.saturating_sub(1);
    // l(l − 1)(2l − 1) is 2l³ − 3l² + l, and one of its two factors is a multiple of 3.
    let cubes: Option<U256> = units
        .iter()
        .map(|&length| {
            let (product, odd) = (times_less_one(length), 2 * u128::from(length) - 1);
            if product.is_multiple_of(3) {
                U256::product(product / 3, odd)
            } else {
                U256::product(product, odd / 3)
            }
        })
        .sum();
    let mut sum = cubes?.checked_mul(others.into())?;
    let (mut not_smaller, mut count, mut total) = (gaps.iter().rev().peekable(), 0_u128, 0_u128);
    for &length in units.iter().rev() {
        while let Some(&gap) = not_smaller.next_if(|&&gap| gap >= length) {
            count += 1;
            total += u128::from(gap);
        }
        let places = total - count * (u128::from(length) - 1);
        sum = sum.checked_add(U256::product(square(length), places))?;
    }
    Some(sum)
}
