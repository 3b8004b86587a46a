//! A continuum and the units that raters marked on it; what lies between the units is implied.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;

/// A stretch of the continuum that one rater marked with a category.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unit<C> {
    /// Who marked it, from 0.
    pub rater: usize,
    /// Where it starts, in the continuum's own count (characters, milliseconds).
    pub start: u64,
    /// How long it is, at least 1.
    pub length: u64,
    /// What it was called.
    pub category: C,
}

impl<C> Unit<C> {
    /// Where it ends; this point is not part of it.
    pub fn end(&self) -> u64 {
        self.start.saturating_add(self.length)
    }

    fn invalid(&self, problem: UnitProblem) -> InvalidUnit {
        InvalidUnit { rater: self.rater, start: self.start, length: self.length, problem }
    }
}

/// What is wrong with a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnitProblem {
    /// It has no length.
    ZeroWidth,
    /// It starts before the continuum or ends after it.
    OutOfRange,
    /// Its rater is not one of those the continuum was made for.
    UnknownRater,
    /// It starts inside an earlier unit of the same rater and category.
    OverlapsItself,
}

/// A unit that a [`Continuum`] does not take, named by its rater and place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InvalidUnit {
    /// The unit's rater.
    pub rater: usize,
    /// The unit's start.
    pub start: u64,
    /// The unit's length.
    pub length: u64,
    /// Why it is refused.
    pub problem: UnitProblem,
}

impl fmt::Display for InvalidUnit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = match self.problem {
            UnitProblem::ZeroWidth => "has no length",
            UnitProblem::OutOfRange => "reaches beyond the continuum",
            UnitProblem::UnknownRater => "belongs to a rater who is not of this continuum",
            UnitProblem::OverlapsItself => {
                "overlaps an earlier unit of the same rater and category"
            }
        };
        let Self { rater, start, length, .. } = self;
        write!(formatter, "the unit of rater {rater} at {start}, length {length}, {problem}")
    }
}

impl Error for InvalidUnit {}

/// Units of several raters on one continuum, sorted per rater by start, length and category.
///
/// Only units are given; gaps are what is left. A rater without units has seen the continuum and
/// marked nothing, which is not the same as a rater who is not there.
///
/// # Example
/// ```
/// use agreement::{Continuum, Unit, UnitProblem};
///
/// let unit = |rater, start, length| Unit { rater, start, length, category: "X" };
/// let continuum = Continuum::new(0, 20, 2, [unit(0, 3, 5), unit(1, 4, 4)])?;
/// assert_eq!(continuum.units(0)[0].end(), 8);
///
/// let refused = Continuum::new(0, 20, 2, [unit(0, 3, 5), unit(0, 7, 4)]).unwrap_err();
/// assert_eq!((refused.start, refused.problem), (7, UnitProblem::OverlapsItself));
/// # Ok::<(), agreement::InvalidUnit>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Continuum<C> {
    begin: u64,
    length: u64,
    raters: Vec<Vec<Unit<C>>>,
}

impl<C: Ord> Continuum<C> {
    /// A continuum `[begin, begin + length)` with the units of so many raters.
    ///
    /// Units of one rater and category must not overlap; Krippendorff's measures have no meaning
    /// for them. See [`Self::with_overlaps`].
    pub fn new(
        begin: u64,
        length: u64,
        raters: usize,
        units: impl IntoIterator<Item = Unit<C>>,
    ) -> Result<Self, InvalidUnit> {
        let continuum = Self::with_overlaps(begin, length, raters, units)?;
        continuum.first_self_overlap().map_or(Ok(continuum), Err)
    }

    /// As [`Self::new`], but units of one rater and category may overlap and even coincide, as
    /// Mathet's gamma allows.
    pub fn with_overlaps(
        begin: u64,
        length: u64,
        raters: usize,
        units: impl IntoIterator<Item = Unit<C>>,
    ) -> Result<Self, InvalidUnit> {
        let mut sorted: Vec<Vec<Unit<C>>> = Vec::new();
        sorted.resize_with(raters, Vec::new);
        for unit in units {
            if unit.length == 0 {
                return Err(unit.invalid(UnitProblem::ZeroWidth));
            }
            let inside = unit.start.checked_sub(begin).is_some_and(|offset| {
                length.checked_sub(offset).is_some_and(|room| unit.length <= room)
            });
            if !inside || begin.checked_add(length).is_none() {
                return Err(unit.invalid(UnitProblem::OutOfRange));
            }
            match sorted.get_mut(unit.rater) {
                Some(units) => units.push(unit),
                None => return Err(unit.invalid(UnitProblem::UnknownRater)),
            }
        }
        for units in &mut sorted {
            units.sort_unstable_by(|a, b| {
                (a.start, a.length, &a.category).cmp(&(b.start, b.length, &b.category))
            });
        }
        Ok(Self { begin, length, raters: sorted })
    }

    /// The categories that occur, sorted.
    pub fn categories(&self) -> Vec<&C> {
        let categories: BTreeSet<&C> = self.all_units().map(|unit| &unit.category).collect();
        categories.into_iter().collect()
    }

    /// The first unit that starts inside another of its rater and category.
    pub(crate) fn first_self_overlap(&self) -> Option<InvalidUnit> {
        self.raters.iter().find_map(|units| {
            let mut by_category: Vec<&Unit<C>> = units.iter().collect();
            by_category.sort_by(|a, b| a.category.cmp(&b.category));
            by_category
                .iter()
                .zip(by_category.iter().skip(1))
                .find(|(a, b)| a.category == b.category && b.start < a.end())
                .map(|(_, later)| later.invalid(UnitProblem::OverlapsItself))
        })
    }
}

impl<C> Continuum<C> {
    /// Where the continuum begins.
    pub fn begin(&self) -> u64 {
        self.begin
    }

    /// How long the continuum is.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// How many raters there are, with or without units.
    pub fn raters(&self) -> usize {
        self.raters.len()
    }

    /// A rater's units, sorted by start; none for a rater who is not there.
    pub fn units(&self, rater: usize) -> &[Unit<C>] {
        self.raters.get(rater).map_or(&[], Vec::as_slice)
    }

    /// All units, rater after rater.
    pub fn all_units(&self) -> impl Iterator<Item = &Unit<C>> {
        self.raters.iter().flatten()
    }

    /// How many units there are.
    pub fn unit_count(&self) -> usize {
        self.raters.iter().map(Vec::len).sum()
    }

    /// Whether some rater marked a stretch twice, whatever the categories.
    pub(crate) fn has_overlaps(&self) -> bool {
        self.raters
            .iter()
            .any(|units| units.iter().zip(units.iter().skip(1)).any(|(a, b)| b.start < a.end()))
    }
}
