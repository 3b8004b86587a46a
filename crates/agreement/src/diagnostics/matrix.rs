//! Matrices with named rows and columns: contingency, coincidence, reliability and distance.

use std::fmt::Display;
use std::iter::Sum;

use super::Layout;
use super::text::{aligned, shortened};
use crate::Contingency;

/// A matrix with a name for each row and column.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix<R, C, T> {
    /// The names of the rows.
    pub rows: Vec<R>,
    /// The names of the columns.
    pub columns: Vec<C>,
    /// The cells, row by row.
    pub cells: Vec<Vec<T>>,
}

/// How often the row rater said the one category where the column rater said the other.
///
/// Categories are given in the order wanted, used or not; what they leave out is not shown.
///
/// ```
/// # use agreement::Contingency;
/// # use agreement::diagnostics::{Layout, contingency_matrix};
/// let table = Contingency::from_iter([("PER", "PER"), ("PER", "ORG"), ("ORG", "ORG")]);
/// let matrix = contingency_matrix(&table, &["ORG", "PER"]);
/// assert_eq!(matrix.cells, [[1, 0], [1, 1]]);
/// assert_eq!(
///     matrix.text_with_totals(&Layout::default()),
///     "     ORG  PER  Σ\n\
///      ORG    1    0  1\n\
///      PER    1    1  2\n\
///      Σ      2    1  3\n"
/// );
/// ```
pub fn contingency_matrix<C: Ord + Clone>(
    table: &Contingency<C>,
    categories: &[C],
) -> Matrix<C, C, u64> {
    Matrix::square(categories, |row, column| table.count(row, column))
}

/// How far apart categories are: the weighting matrix.
///
/// ```
/// # use agreement::diagnostics::distance_matrix;
/// let matrix = distance_matrix(&[1_i32, 2, 4], |a, b| f64::from(a.abs_diff(*b)));
/// assert_eq!(matrix.cells, [[0.0, 1.0, 3.0], [1.0, 0.0, 2.0], [3.0, 2.0, 0.0]]);
/// ```
pub fn distance_matrix<C: Clone>(
    categories: &[C],
    distance: impl Fn(&C, &C) -> f64,
) -> Matrix<C, C, f64> {
    Matrix::square(categories, distance)
}

impl<L: Clone, T> Matrix<L, L, T> {
    pub(crate) fn square(categories: &[L], cell: impl Fn(&L, &L) -> T) -> Self {
        let row = |row| categories.iter().map(|column| cell(row, column)).collect();
        let cells = categories.iter().map(row).collect();
        Self { rows: categories.to_vec(), columns: categories.to_vec(), cells }
    }
}

impl<R: Display, C: Display, T> Matrix<R, C, T> {
    /// The matrix in aligned columns, each cell as `cell` writes it.
    pub fn text(&self, layout: &Layout, cell: impl Fn(&T) -> String) -> String {
        aligned(&self.lines(layout, cell))
    }

    fn lines(&self, layout: &Layout, cell: impl Fn(&T) -> String) -> Vec<Vec<String>> {
        let name = |name: &dyn Display| shortened(&name.to_string(), layout.widest_name);
        let mut heading = vec![String::new()];
        heading.extend(self.columns.iter().map(|column| name(column)));
        let mut lines = vec![heading];
        for (row, cells) in self.rows.iter().zip(&self.cells) {
            let mut line = vec![name(row)];
            line.extend(cells.iter().map(&cell));
            lines.push(line);
        }
        lines
    }
}

impl<R, C, T: Copy + Sum<T>> Matrix<R, C, T> {
    /// The sum of each row.
    pub fn row_totals(&self) -> Vec<T> {
        self.cells.iter().map(|row| row.iter().copied().sum()).collect()
    }

    /// The sum of each column.
    pub fn column_totals(&self) -> Vec<T> {
        let column = |place| self.cells.iter().filter_map(|row| row.get(place)).copied().sum();
        (0..self.columns.len()).map(column).collect()
    }
}

impl<R: Display, C: Display, T: Copy + Display + Sum<T>> Matrix<R, C, T> {
    /// The numbers in aligned columns.
    pub fn numbers(&self, layout: &Layout) -> String {
        self.text(layout, |number| format!("{number:.*}", layout.decimals))
    }

    /// The numbers in aligned columns, with the sums of rows and columns.
    pub fn text_with_totals(&self, layout: &Layout) -> String {
        let number = |number: &T| format!("{number:.*}", layout.decimals);
        let mut lines = self.lines(layout, number);
        let row_totals = self.row_totals();
        let column_totals = self.column_totals();
        let all: T = row_totals.iter().copied().sum();
        let heading = std::iter::once("Σ".to_owned());
        let ends = heading.chain(row_totals.iter().map(number));
        for (line, end) in lines.iter_mut().zip(ends) {
            line.push(end);
        }
        let mut last = vec!["Σ".to_owned()];
        last.extend(column_totals.iter().map(number));
        last.push(number(&all));
        lines.push(last);
        aligned(&lines)
    }
}
