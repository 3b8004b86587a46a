//! Which categories two raters confuse, the most frequent first.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::Contingency;
use crate::arithmetic::ratio::ratio;

/// Two categories that stood against each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Confusion<C> {
    /// The category that comes first in order.
    pub first: C,
    /// The other.
    pub second: C,
    /// How often the row rater said the first, and the column rater the second.
    pub first_by_row: u64,
    /// How often the row rater said the second, and the column rater the first.
    pub second_by_row: u64,
    /// Both directions as a part of all disagreements.
    pub share: f64,
}

impl<C> Confusion<C> {
    /// Both directions together.
    pub fn total(&self) -> u64 {
        self.first_by_row + self.second_by_row
    }
}

/// All pairs of categories that were confused, the most frequent first, ties in order of category.
///
/// ```
/// # use agreement::{Contingency, diagnostics::confusions};
/// let table = Contingency::from_iter([("a", "b"), ("b", "a"), ("c", "a"), ("a", "a")]);
/// let confusions = confusions(&table);
/// assert_eq!((confusions[0].first, confusions[0].second), ("a", "b"));
/// assert_eq!((confusions[0].first_by_row, confusions[0].second_by_row), (1, 1));
/// assert_eq!((confusions[0].share, confusions.len()), (2.0 / 3.0, 2));
/// ```
pub fn confusions<C: Ord + Clone>(table: &Contingency<C>) -> Vec<Confusion<C>> {
    let mut directions: BTreeMap<(&C, &C), (u64, u64)> = BTreeMap::new();
    for (row, column, count) in table.cells() {
        if row < column {
            directions.entry((row, column)).or_default().0 += count;
        } else if column < row {
            directions.entry((column, row)).or_default().1 += count;
        }
    }
    let disagreements = table.total() - table.agreements();
    let mut confusions: Vec<_> = directions
        .into_iter()
        .map(|((first, second), (first_by_row, second_by_row))| Confusion {
            first: first.clone(),
            second: second.clone(),
            first_by_row,
            second_by_row,
            share: ratio((first_by_row + second_by_row).into(), disagreements.into()),
        })
        .collect();
    confusions.sort_by_key(|confusion| Reverse(confusion.total()));
    confusions
}
