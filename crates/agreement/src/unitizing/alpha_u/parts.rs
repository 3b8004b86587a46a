//! The integers that Krippendorff's alpha for unitizing is made of, counted in walks along the units.

use super::differences::{Group, times_less_one};
use super::sums::{Stretches, Sums, unit_lengths};
use crate::arithmetic::u256::{U256, one_minus};
use crate::{Continuum, Graded, Undefined};

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
        let lengths = unit_lengths(group);
        let stretch = Stretches::of(group, continuum.length(), &lengths);
        let stretch = stretch.ok_or(Undefined::TooLarge)?;
        Self::joined(&lengths, [(&stretch, 1)], group.len()).ok_or(Undefined::TooLarge)
    }

    /// Of stretches of the continuum laid end to end, each so many times in a row; `lengths` are
    /// those that units have, sorted. `None` beyond 256 bits.
    pub(super) fn joined<'a>(
        lengths: &[u64],
        stretches: impl IntoIterator<Item = (&'a Stretches, u32)>,
        raters: usize,
    ) -> Option<Self> {
        let mut sums = Sums::new(lengths, raters);
        for (stretch, times) in stretches {
            sums.add(stretch, times)?;
        }
        sums.end();
        let raters = u128::try_from(raters).ok()?;
        let pairs = raters.checked_mul(raters.checked_sub(1)?)? / 2;
        let all = raters.checked_mul(sums.length.into())?;
        let within: Option<U256> =
            sums.units().map(|(l, times)| U256::product(times_less_one(l), times.into())).sum();
        Some(Self {
            units: usize::try_from(sums.units().map(|(_, times)| times).sum::<u64>()).ok()?,
            gaps: usize::try_from(sums.gaps.iter().map(|gaps| gaps.number).sum::<u64>()).ok()?,
            difference: sums.difference,
            observed_scale: U256::product(sums.length.into(), sums.length.into())
                .checked_mul(pairs.into())?,
            chance: sums.chance()?,
            chance_scale: U256::product(all, all.saturating_sub(1)).checked_sub(within?)?,
            pairs,
            length: sums.length,
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
