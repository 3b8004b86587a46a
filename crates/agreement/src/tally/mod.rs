//! Tallies of many raters that follow every change and equal a recount to the last bit.
//!
//! All counts are integers, kept apart by how many raters an item has: fractions such as the
//! `1 / (m − 1)` of Krippendorff's alpha are only taken when a measure is read.

mod coincidences;
pub(crate) mod contingency;
pub(crate) mod dense;
mod nominal;

pub use self::coincidences::CoincidenceTally;
pub use self::nominal::NominalTally;
pub(crate) use self::nominal::{Bucket, Cell};

use std::error::Error;
use std::fmt;

/// Why a tally was not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TallyError {
    /// More was to be taken away than had been counted.
    NotCounted,
    /// There is no room for so many ratings.
    Full,
}

impl fmt::Display for TallyError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NotCounted => "cannot take away ratings that were never counted",
            Self::Full => "there are more ratings than can be counted",
        })
    }
}

impl Error for TallyError {}
