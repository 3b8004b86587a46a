//! What becomes of positions that only one of two raters judged, and the tally that keeps track.

use itertools::{EitherOrBoth, Itertools};

use crate::{Contingency, NotCounted};

/// How a position that only one of the two judged is treated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Policy {
    /// It is left out; the [`Coverage`] says how much that was.
    #[default]
    Cleaned,
    /// It counts, with the empty category for the rater without a judgement.
    ///
    /// Meaningful only for documents both raters have finished: before that, absence is no
    /// judgement.
    EmptyLabel,
}

/// How many positions each of the two judged, whatever the policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Coverage {
    /// Positions both judged.
    pub both: u64,
    /// Positions only the first (row) rater judged.
    pub only_first: u64,
    /// Positions only the second (column) rater judged.
    pub only_second: u64,
}

impl Coverage {
    /// Positions at least one of the two judged.
    pub fn positions(&self) -> u64 {
        self.both + self.only_first + self.only_second
    }

    fn plus(self, other: Self) -> Self {
        Self {
            both: self.both + other.both,
            only_first: self.only_first + other.only_first,
            only_second: self.only_second + other.only_second,
        }
    }

    fn minus(self, other: Self) -> Result<Self, NotCounted> {
        Ok(Self {
            both: self.both.checked_sub(other.both).ok_or(NotCounted)?,
            only_first: self.only_first.checked_sub(other.only_first).ok_or(NotCounted)?,
            only_second: self.only_second.checked_sub(other.only_second).ok_or(NotCounted)?,
        })
    }
}

/// What is counted for a pair of raters, over one document or many.
///
/// Tallies to be merged or subtracted were counted under the same [`Policy`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairTally<C> {
    /// The pairs of judgements that the policy counts.
    pub table: Contingency<C>,
    /// How many positions that is a part of.
    pub coverage: Coverage,
}

impl<C: Ord + Clone> PairTally<C> {
    /// Counts one position with what the two said there; one that neither judged is none.
    ///
    /// # Panics
    /// If the table would exceed [`Contingency::CAPACITY`].
    pub fn add(&mut self, first: Option<&C>, second: Option<&C>, policy: Policy, empty: &C) {
        let judged = match (first, second) {
            (Some(_), Some(_)) => &mut self.coverage.both,
            (Some(_), None) => &mut self.coverage.only_first,
            (None, Some(_)) => &mut self.coverage.only_second,
            (None, None) => return,
        };
        *judged += 1;
        if policy == Policy::EmptyLabel || (first.is_some() && second.is_some()) {
            self.table.add(first.unwrap_or(empty).clone(), second.unwrap_or(empty).clone());
        }
    }

    /// Adds another tally, such as that of one more document.
    ///
    /// # Panics
    /// If the table would exceed [`Contingency::CAPACITY`].
    pub fn merge(&mut self, other: &Self) {
        self.table.merge(&other.table);
        self.coverage = self.coverage.plus(other.coverage);
    }

    /// Takes another tally away, or nothing at all if a part of it is not there.
    pub fn subtract(&mut self, other: &Self) -> Result<(), NotCounted> {
        let coverage = self.coverage.minus(other.coverage)?;
        self.table.subtract(&other.table)?;
        self.coverage = coverage;
        Ok(())
    }

    /// The same tally with the raters' parts exchanged.
    #[must_use]
    pub fn transposed(&self) -> Self {
        let Coverage { both, only_first, only_second } = self.coverage;
        Self {
            table: self.table.transposed(),
            coverage: Coverage { both, only_first: only_second, only_second: only_first },
        }
    }
}

impl<C: Ord + Clone> Default for PairTally<C> {
    fn default() -> Self {
        Self { table: Contingency::new(), coverage: Coverage::default() }
    }
}

/// The positions that at least one of two raters judged, in order, with what each said there. What each
/// judged is in the order of its positions, each once, as maps have it.
pub fn side_by_side<'a, P: Ord + 'a, C: 'a>(
    first: impl IntoIterator<Item = (&'a P, &'a C), IntoIter: Clone>,
    second: impl IntoIterator<Item = (&'a P, &'a C), IntoIter: Clone>,
) -> impl Iterator<Item = (&'a P, Option<&'a C>, Option<&'a C>)> {
    let (first, second) = (first.into_iter(), second.into_iter());
    debug_assert!(first.clone().is_sorted_by(|one, other| one.0 < other.0));
    debug_assert!(second.clone().is_sorted_by(|one, other| one.0 < other.0));
    let by_position = |one: &(&P, &C), other: &(&P, &C)| one.0.cmp(other.0);
    first.merge_join_by(second, by_position).map(|found| match found {
        EitherOrBoth::Both((position, first), (_, second)) => (position, Some(first), Some(second)),
        EitherOrBoth::Left((position, first)) => (position, Some(first), None),
        EitherOrBoth::Right((position, second)) => (position, None, Some(second)),
    })
}

/// Compares two raters' judgements of one document, by position: both in the order of their positions, each
/// once, as maps have it.
///
/// A judgement may itself be `empty` (a reviewer's reject): it is a judgement and counts under
/// both policies. Positions that neither judged never enter.
pub fn compare<'a, P: Ord + 'a, C: Ord + Clone + 'a>(
    first: impl IntoIterator<Item = (&'a P, &'a C), IntoIter: Clone>,
    second: impl IntoIterator<Item = (&'a P, &'a C), IntoIter: Clone>,
    policy: Policy,
    empty: &C,
) -> PairTally<C> {
    let mut tally = PairTally::default();
    for (_, first, second) in side_by_side(first, second) {
        tally.add(first, second, policy, empty);
    }
    tally
}
