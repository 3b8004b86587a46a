//! The table of two raters and one yes-or-no question.

use crate::{Contingency, Undefined};

/// How two raters answered a yes-or-no question, such as "is this the label?".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Binary {
    /// Both said yes: `n11`.
    pub both: u64,
    /// Only the row rater said yes: `n12`.
    pub only_row: u64,
    /// Only the column rater said yes: `n21`.
    pub only_column: u64,
    /// Both said no: `n22`.
    pub neither: u64,
}

impl Binary {
    /// One label against all others.
    ///
    /// ```
    /// # use agreement::{Contingency, inference::Binary};
    /// let table = Contingency::from_iter([("a", "a"), ("a", "b"), ("b", "c"), ("c", "b")]);
    /// let about_a = Binary { both: 1, only_row: 1, only_column: 0, neither: 2 };
    /// assert_eq!(Binary::one_vs_rest(&table, &"a"), about_a);
    /// ```
    pub fn one_vs_rest<C: Ord + Clone>(table: &Contingency<C>, label: &C) -> Self {
        let both = table.count(label, label);
        let only_row = table.row_total(label) - both;
        let only_column = table.column_total(label) - both;
        Self { both, only_row, only_column, neither: table.total() - both - only_row - only_column }
    }

    /// The table itself, if at most two categories occur in it; the first in order is the yes.
    ///
    /// # Undefined when
    /// Nothing was counted, or more than two categories occur.
    pub fn from_table<C: Ord + Clone>(table: &Contingency<C>) -> Result<Self, Undefined> {
        match table.categories().as_slice() {
            [] => Err(Undefined::NoSharedPositions),
            [label] | [label, _] => Ok(Self::one_vs_rest(table, label)),
            _ => Err(Undefined::NotBinary),
        }
    }

    /// All positions; `None` beyond 64 bits.
    pub fn total(&self) -> Option<u64> {
        self.both
            .checked_add(self.only_row)?
            .checked_add(self.only_column)?
            .checked_add(self.neither)
    }
}
