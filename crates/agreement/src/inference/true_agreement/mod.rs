//! True agreement: which share of the positions the raters agree on for a reason.
//!
//! The dual model of Krenn, Evert and Zinsmeister (2004), section 5: the positions fall into `m`
//! on which both follow the guidelines and agree, and the rest, on which any agreement is
//! coincidence. Every `m` that leaves a rest compatible with chance is in the interval.

pub(crate) mod conservative;
pub(crate) mod homogeneity;

use crate::Undefined;
use crate::arithmetic::ratio::ratio;
use crate::inference::{Binary, Interval, Level, TwoSided};

/// The most positions that are gone through exactly.
const CAPACITY: u64 = 1_000_000;

/// All numbers of truly agreed positions, from the least to the most, that fit the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrueAgreement {
    /// The smallest number of positions with true agreement that fits.
    pub least: u64,
    /// The largest.
    pub most: u64,
    /// All positions.
    pub positions: u64,
}

impl TrueAgreement {
    /// The interval of the share of positions with true agreement.
    pub fn interval(&self) -> Interval {
        let share = |count: u64| ratio(count.into(), self.positions.into());
        Interval { lower: share(self.least), upper: share(self.most) }
    }

    /// From both ends inwards, until a number fits.
    pub(crate) fn search(
        table: &Binary,
        mut least: impl FnMut() -> Option<u64>,
        mut most: impl FnMut() -> Option<u64>,
    ) -> Result<Self, Undefined> {
        match table.total() {
            Some(0) => Err(Undefined::NoSharedPositions),
            Some(positions @ 1..=CAPACITY) => match (least(), most()) {
                (Some(least), Some(most)) => Ok(Self { least, most, positions }),
                _ => Err(Undefined::BelowChance),
            },
            _ => Err(Undefined::TooManyPositions),
        }
    }
}

/// Whether chance can be ruled out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Significance {
    level: f64,
    pub(crate) sides: TwoSided,
}

impl Significance {
    pub(crate) fn new(level: Level, sides: TwoSided) -> Self {
        Self { level: level.outside(), sides }
    }

    /// Whether a p-value is too large to rule out chance.
    pub(crate) fn allows(self, p_value: f64) -> bool {
        p_value > self.level
    }
}
