//! What raters handed in: items that all of them saw, or units on a continuum.

pub(crate) mod cells;
pub(crate) mod columns;
pub(crate) mod continuum;
mod counts;
mod item;
mod long_form;
mod ratings;
mod selection;

pub use counts::Counts;
pub use item::Item;
pub use long_form::LongForm;
pub use ratings::{MISSING, Ratings};

use std::error::Error;
use std::fmt;

/// Why data is not a study; nothing of it was taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StudyError {
    /// An item has more or fewer places for raters (or categories) than the first one.
    Ragged {
        /// Which item, from 0.
        item: usize,
        /// How many places it has.
        found: usize,
        /// How many the first item has.
        expected: usize,
    },
    /// The same rater rated the same item twice.
    RatedTwice {
        /// Which of the ratings came second, from 0.
        rating: usize,
    },
    /// A code stands for no category.
    NoSuchCategory {
        /// The code.
        code: u32,
    },
    /// A vote is by a rater beyond those there are.
    NoSuchRater {
        /// Which rater, from 0.
        rater: usize,
    },
    /// Categories are not sorted, or one is repeated.
    UnsortedCategories,
    /// There are more raters, ratings or categories than a study can hold.
    Full,
}

impl fmt::Display for StudyError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ragged { item, found, expected } => {
                write!(formatter, "item {item} has {found} places, and the first has {expected}")
            }
            Self::RatedTwice { rating } => {
                write!(formatter, "rating {rating} is of an item that its rater has rated before")
            }
            Self::NoSuchCategory { code } => write!(formatter, "code {code} has no category"),
            Self::NoSuchRater { rater } => write!(formatter, "there is no rater {rater}"),
            Self::UnsortedCategories => formatter.write_str("categories are not sorted and unique"),
            Self::Full => {
                formatter.write_str("there are more raters or ratings than can be counted")
            }
        }
    }
}

impl Error for StudyError {}

/// The most ratings a study or a tally counts, repetitions included.
///
/// It keeps every integer of every measure inside 128 bits.
pub(crate) const CAPACITY: u64 = 1 << 62;
