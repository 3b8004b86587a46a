//! A text divided into segments without gaps, and how two ways to divide it are compared.

pub(crate) mod boundaries;
pub(crate) mod windows;

use std::error::Error;
use std::fmt;

use crate::Undefined;

/// A sequence of so many things (sentences, turns), divided into segments.
///
/// # Example
/// ```
/// use agreement::Segmentation;
///
/// let segmentation = Segmentation::from_masses([2, 3, 1])?;
/// assert_eq!((segmentation.length(), segmentation.boundaries()), (6, &[2, 5][..]));
/// assert!(Segmentation::from_masses([2, 0]).is_err());
/// # Ok::<(), agreement::InvalidSegment>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segmentation {
    length: u64,
    boundaries: Vec<u64>,
}

/// A segment that is none: it has no length, or ends beyond 2^64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InvalidSegment {
    /// Which segment, from 0.
    pub segment: usize,
}

impl fmt::Display for InvalidSegment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "segment {} is empty or too long", self.segment)
    }
}

impl Error for InvalidSegment {}

impl Segmentation {
    /// From the lengths of the segments, in order.
    pub fn from_masses(masses: impl IntoIterator<Item = u64>) -> Result<Self, InvalidSegment> {
        let mut segmentation = Self { length: 0, boundaries: Vec::new() };
        for (segment, mass) in masses.into_iter().enumerate() {
            let end = segmentation.length.checked_add(mass).filter(|_| mass > 0);
            if segment > 0 {
                segmentation.boundaries.push(segmentation.length);
            }
            segmentation.length = end.ok_or(InvalidSegment { segment })?;
        }
        Ok(segmentation)
    }

    /// How many things are divided.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Before which things, counted from 0, a new segment begins; sorted, the start left out.
    pub fn boundaries(&self) -> &[u64] {
        &self.boundaries
    }

    /// How many segments there are.
    pub fn segments(&self) -> usize {
        self.boundaries.len() + usize::from(self.length > 0)
    }

    fn check_length(&self, other: &Self) -> Result<(), Undefined> {
        if self.length == other.length { Ok(()) } else { Err(Undefined::LengthsDiffer) }
    }
}
