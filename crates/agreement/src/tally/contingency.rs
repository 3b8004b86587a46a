//! The contingency table of two raters: exact counts of pairs of judgements, added and taken away.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;

use crate::Item;

/// How often the row rater said one category where the column rater said another (or the same).
///
/// The table is sparse: its size follows the pairs of categories that occur, not the label set.
/// Empty cells are never kept, so two tables are equal exactly if they count the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contingency<C> {
    rows: BTreeMap<C, BTreeMap<C, u64>>,
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
        Self { rows: BTreeMap::new(), total: 0 }
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
            *self.rows.entry(row).or_default().entry(column).or_default() += count;
            self.total += count;
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
        self.assert_room_for(other.total);
        for (row, column, count) in other.cells() {
            self.add_count(row.clone(), column.clone(), count);
        }
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
        self.rows.get(row).and_then(|columns| columns.get(column)).copied().unwrap_or(0)
    }

    /// How many positions were counted.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// On how many positions the two said the same: the diagonal.
    pub fn agreements(&self) -> u64 {
        self.rows.keys().map(|category| self.count(category, category)).sum()
    }

    /// How often the row rater said this category.
    pub fn row_total(&self, category: &C) -> u64 {
        self.rows.get(category).map_or(0, |columns| columns.values().sum())
    }

    /// How often the column rater said this category.
    pub fn column_total(&self, category: &C) -> u64 {
        self.rows.values().filter_map(|columns| columns.get(category)).sum()
    }

    /// The categories that at least one of the two used, sorted.
    pub fn categories(&self) -> Vec<&C> {
        self.margins().into_keys().collect()
    }

    /// The cells that count something, as (row, column, count), sorted.
    pub fn cells(&self) -> impl Iterator<Item = (&C, &C, u64)> {
        self.rows.iter().flat_map(|(row, columns)| {
            columns.iter().map(move |(column, &count)| (row, column, count))
        })
    }

    /// The same counts with the raters' parts exchanged.
    #[must_use]
    pub fn transposed(&self) -> Self {
        let mut transposed = Self::new();
        for (row, column, count) in self.cells() {
            transposed.add_count(column.clone(), row.clone(), count);
        }
        transposed
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
        let columns = self.rows.get_mut(row).ok_or(NotCounted)?;
        let cell = columns.get_mut(column).ok_or(NotCounted)?;
        *cell = cell.checked_sub(count).ok_or(NotCounted)?;
        if *cell == 0 {
            columns.remove(column);
        }
        if columns.is_empty() {
            self.rows.remove(row);
        }
        self.total -= count;
        Ok(())
    }

    fn assert_room_for(&self, count: u64) {
        assert!(
            count <= Self::CAPACITY - self.total,
            "a table counts at most 2^62 positions; wrapping around would falsify every measure"
        );
    }
}

impl<C: Ord + Clone> Default for Contingency<C> {
    fn default() -> Self {
        Self::new()
    }
}

/// Counts pairs of judgements, one per position.
impl<C: Ord + Clone> FromIterator<(C, C)> for Contingency<C> {
    fn from_iter<I: IntoIterator<Item = (C, C)>>(pairs: I) -> Self {
        let mut table = Self::new();
        for (row, column) in pairs {
            table.add(row, column);
        }
        table
    }
}
