//! The codes of a study, and the contingency tables of its pairs of raters.

use super::columns::{Code, Columns, with_codes};

/// What the first and the second rater said, by index, and how often.
pub(crate) type Cell = ((usize, usize), u64);

/// A study without the names of its categories, which threads may share whatever the names are.
#[derive(Clone, Copy)]
pub(crate) struct Coded<'a> {
    pub(crate) columns: &'a Columns,
    /// How often each item counts; empty if each counts once.
    pub(crate) times: &'a [u64],
    pub(crate) categories: usize,
    pub(crate) items: usize,
    pub(crate) raters: usize,
}

impl<'a> Coded<'a> {
    /// How often two raters said what, over the items that both rated; sorted, none of them 0.
    pub(crate) fn cells(self, first: usize, second: usize) -> Vec<Cell> {
        with_codes!(self.columns, codes => {
            let (a, b) = (self.column(codes, first), self.column(codes, second));
            if self.categories.saturating_mul(self.categories) > self.items {
                sorted(a, b, self.times)
            } else {
                squared(a, b, self.times, self.categories)
            }
        })
    }

    /// A rater's part of the codes; nothing for a rater that there is not.
    pub(crate) fn column<T>(self, codes: &'a [T], rater: usize) -> &'a [T] {
        let start = rater.saturating_mul(self.items);
        codes.get(start..start.saturating_add(self.items)).unwrap_or(&[])
    }
}

/// Counts in a square of all categories, which is smaller than the column it is counted from.
///
/// Missing ratings have a row and a column of their own, so that no item needs a decision.
fn squared<T: Code>(a: &[T], b: &[T], times: &[u64], categories: usize) -> Vec<Cell> {
    let side = categories + 1;
    let mut square = vec![0_u64; side * side];
    let pairs = a.iter().zip(b);
    let place = |(a, b): (&T, &T)| a.index().min(categories) * side + b.index().min(categories);
    if times.is_empty() {
        for place in pairs.map(place) {
            if let Some(cell) = square.get_mut(place) {
                *cell += 1;
            }
        }
    } else {
        for (place, times) in pairs.map(place).zip(times) {
            if let Some(cell) = square.get_mut(place) {
                *cell += times;
            }
        }
    }
    let rows = square.chunks(side).take(categories).enumerate();
    let cells = rows.flat_map(|(a, row)| {
        row.iter().take(categories).enumerate().map(move |(b, &count)| ((a, b), count))
    });
    cells.filter(|&(_, count)| count > 0).collect()
}

/// Counts by sorting, where a square would be mostly empty.
fn sorted<T: Code>(a: &[T], b: &[T], times: &[u64]) -> Vec<Cell> {
    let mut cells: Vec<Cell> = a
        .iter()
        .zip(b)
        .enumerate()
        .filter(|(_, (a, b))| **a != T::MISSING && **b != T::MISSING)
        .map(|(item, (a, b))| ((a.index(), b.index()), times.get(item).copied().unwrap_or(1)))
        .filter(|&(_, count)| count > 0)
        .collect();
    cells.sort_unstable_by_key(|&(place, _)| place);
    cells.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    cells
}
