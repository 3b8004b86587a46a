//! The contingency table of two raters: exact counts of pairs of judgements, added and taken away.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;

use itertools::{EitherOrBoth, Itertools};

use crate::Item;

/// How often the row rater said one category where the column rater said another (or the same).
///
/// The table is sparse: its size follows the pairs of categories that occur, not the label set. One that is
/// counted at once takes n log n, and so does another that is merged into it; a pair of categories that is
/// added alone and is new moves all that come after it.
/// Empty cells are never kept, so two tables are equal exactly if they count the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contingency<C> {
    /// Sorted by row and column: large projects have many tables, and nearly all have few cells.
    cells: Vec<(C, C, u64)>,
    total: u64,
}

/// More was to be taken away than had been counted; the table is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NotCounted;

impl fmt::Display for NotCounted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("cannot take away judgements that were never counted")
    }
}

impl Error for NotCounted {}

/// A category's total in the rows and in the columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Margin {
    pub(crate) row: u64,
    pub(crate) column: u64,
}

impl<C> Contingency<C> {
    /// The largest total a table can hold.
    ///
    /// It keeps every integer of every measure, such as `(2n)²`, inside 128 bits.
    pub const CAPACITY: u64 = 1 << 62;
}

impl<C: Ord + Clone> Contingency<C> {
    /// A table that counts nothing.
    pub fn new() -> Self {
        Self { cells: Vec::new(), total: 0 }
    }

    /// Counts one position.
    ///
    /// # Panics
    /// If the total would exceed [`Self::CAPACITY`].
    pub fn add(&mut self, row: C, column: C) {
        self.add_count(row, column, 1);
    }

    /// Counts several positions with the same pair of judgements.
    ///
    /// # Panics
    /// If the total would exceed [`Self::CAPACITY`].
    pub fn add_count(&mut self, row: C, column: C, count: u64) {
        self.assert_room_for(count);
        if count > 0 {
            self.total += count;
            match self.place(&row, &column) {
                Ok(place) => {
                    if let Some((.., counted)) = self.cells.get_mut(place) {
                        *counted += count;
                    }
                }
                Err(place) => self.cells.insert(place, (row, column, count)),
            }
        }
    }

    /// Takes one position away again.
    pub fn remove(&mut self, row: &C, column: &C) -> Result<(), NotCounted> {
        self.remove_count(row, column, 1)
    }

    /// Adds all counts of another table.
    ///
    /// # Panics
    /// If the total would exceed [`Self::CAPACITY`].
    pub fn merge(&mut self, other: &Self) {
        if other.is_empty() {
            return;
        }
        self.assert_room_for(other.total);
        // A document's few into those of a project, most of which are there.
        if other.cells.len() * 8 < self.cells.len() {
            for (row, column, count) in other.cells() {
                self.add_count(row.clone(), column.clone(), count);
            }
            return;
        }
        self.total += other.total;
        let ours = std::mem::take(&mut self.cells);
        self.cells = ours
            .into_iter()
            .merge_join_by(&other.cells, |ours, theirs| position(ours).cmp(&position(theirs)))
            .map(|cell| match cell {
                EitherOrBoth::Left(ours) => ours,
                EitherOrBoth::Right(theirs) => theirs.clone(),
                EitherOrBoth::Both((row, column, ours), (.., theirs)) => {
                    (row, column, ours + theirs)
                }
            })
            .collect();
    }

    /// Takes all counts of another table away, or none of them if one is not there.
    pub fn subtract(&mut self, other: &Self) -> Result<(), NotCounted> {
        if other.cells().any(|(row, column, count)| self.count(row, column) < count) {
            return Err(NotCounted);
        }
        for (row, column, count) in other.cells() {
            self.remove_count(row, column, count)?;
        }
        Ok(())
    }

    /// How often this pair of judgements was counted.
    pub fn count(&self, row: &C, column: &C) -> u64 {
        let place = self.place(row, column).ok();
        place.and_then(|place| self.cells.get(place)).map_or(0, |(.., count)| *count)
    }

    /// How many positions were counted.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// On how many positions the two said the same: the diagonal.
    pub fn agreements(&self) -> u64 {
        self.cells().filter(|(row, column, _)| row == column).map(|(.., count)| count).sum()
    }

    /// How often the row rater said this category.
    pub fn row_total(&self, category: &C) -> u64 {
        self.cells().filter(|(row, ..)| *row == category).map(|(.., count)| count).sum()
    }

    /// How often the column rater said this category.
    pub fn column_total(&self, category: &C) -> u64 {
        self.cells().filter(|(_, column, _)| *column == category).map(|(.., count)| count).sum()
    }

    /// The categories that at least one of the two used, sorted.
    pub fn categories(&self) -> Vec<&C> {
        self.margins().into_keys().collect()
    }

    /// The cells that count something, as (row, column, count), sorted.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = (&C, &C, u64)> {
        self.cells.iter().map(|(row, column, count)| (row, column, *count))
    }

    /// The same counts with the raters' parts exchanged.
    #[must_use]
    pub fn transposed(&self) -> Self {
        let cells = self.cells().map(|(row, column, count)| (column.clone(), row.clone(), count));
        Self::of_cells(cells.collect(), self.total)
    }

    /// The same with other names for the categories, each of its own.
    #[must_use]
    pub fn renamed<D: Ord + Clone>(&self, name: impl Fn(&C) -> D) -> Contingency<D> {
        let cells = self.cells().map(|(row, column, count)| (name(row), name(column), count));
        Contingency::of_cells(cells.collect(), self.total)
    }

    /// Whether nothing is counted.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Every position as an item with two ratings, each with how often it counts.
    pub(crate) fn items(&self) -> Vec<(Item<C>, u64)> {
        let item = |(row, column, count): (&C, &C, u64)| {
            (Item::from_iter([row.clone(), column.clone()]), count)
        };
        self.cells().map(item).collect()
    }

    /// Both totals of every category, in one pass over the cells.
    pub(crate) fn margins(&self) -> BTreeMap<&C, Margin> {
        let mut margins: BTreeMap<&C, Margin> = BTreeMap::new();
        for (row, column, count) in self.cells() {
            margins.entry(row).or_default().row += count;
            margins.entry(column).or_default().column += count;
        }
        margins
    }

    fn remove_count(&mut self, row: &C, column: &C, count: u64) -> Result<(), NotCounted> {
        let place = self.place(row, column).map_err(|_| NotCounted)?;
        let (.., counted) = self.cells.get_mut(place).ok_or(NotCounted)?;
        *counted = counted.checked_sub(count).ok_or(NotCounted)?;
        if *counted == 0 {
            self.cells.remove(place);
        }
        self.total -= count;
        Ok(())
    }

    /// A table of cells in any order, each of another pair of categories.
    fn of_cells(mut cells: Vec<(C, C, u64)>, total: u64) -> Self {
        cells.sort_unstable_by(|one, other| position(one).cmp(&position(other)));
        debug_assert!(cells.is_sorted_by(|one, other| position(one) < position(other)));
        Self { cells, total }
    }

    /// Where a pair of categories is among the cells, or would be.
    fn place(&self, row: &C, column: &C) -> Result<usize, usize> {
        self.cells.binary_search_by(|cell| position(cell).cmp(&(row, column)))
    }

    fn assert_room_for(&self, count: u64) {
        assert!(
            count <= Self::CAPACITY - self.total,
            "a table counts at most 2^62 positions; wrapping around would falsify every measure"
        );
    }
}

/// The row and the column of a cell.
const fn position<C>((row, column, _): &(C, C, u64)) -> (&C, &C) {
    (row, column)
}

impl<C: Ord + Clone> Default for Contingency<C> {
    fn default() -> Self {
        Self::new()
    }
}

/// Counts pairs of judgements, one per position.
impl<C: Ord + Clone> FromIterator<(C, C)> for Contingency<C> {
    fn from_iter<I: IntoIterator<Item = (C, C)>>(pairs: I) -> Self {
        let mut pairs: Vec<_> = pairs.into_iter().collect();
        pairs.sort_unstable();
        let mut table = Self::new();
        for (count, (row, column)) in pairs.into_iter().dedup_with_count() {
            table.add_count(row, column, u64::try_from(count).unwrap_or(u64::MAX));
        }
        table.cells.shrink_to_fit();
        table
    }
}
