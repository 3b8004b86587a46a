//! What the nominal measures of two raters come down to: four integers.

use crate::{Coefficient, Contingency, Undefined};

/// What is left of a contingency table once its categories are summed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PairSums {
    /// `n`, how many positions both judged; at most [`Contingency::CAPACITY`].
    pub(crate) positions: u64,
    /// On how many of them the two said the same.
    pub(crate) agreements: u64,
    /// `Σ_k row_k · column_k`
    pub(crate) products: i128,
    /// `Σ_k (row_k + column_k)²`
    pub(crate) squares: i128,
}

impl PairSums {
    pub(crate) fn of<C: Ord + Clone>(table: &Contingency<C>) -> Self {
        let mut sums =
            Self { positions: table.total(), agreements: table.agreements(), ..Self::default() };
        for margin in table.margins().values() {
            sums.add_margin(margin.row, margin.column);
        }
        sums
    }

    /// Adds a category's totals in the rows and in the columns.
    pub(crate) fn add_margin(&mut self, row: u64, column: u64) {
        let (row, column) = (i128::from(row), i128::from(column));
        self.products += row * column;
        self.squares += (row + column) * (row + column);
    }

    pub(crate) fn percent(&self) -> Result<Coefficient, Undefined> {
        Coefficient::chance_corrected(self.agreements.into(), 0, self.positions.into())
    }

    pub(crate) fn cohen_kappa(&self) -> Result<Coefficient, Undefined> {
        let [observed, expected, whole] = self.cohen_parts();
        Coefficient::chance_corrected(observed, expected, whole)
    }

    /// Cohen's `p_o` and `p_e` as parts of `n²`, and `n²`.
    pub(crate) fn cohen_parts(&self) -> [i128; 3] {
        let n = i128::from(self.positions);
        [n * i128::from(self.agreements), self.products, n * n]
    }

    pub(crate) fn scott_pi(&self) -> Result<Coefficient, Undefined> {
        let n = i128::from(self.positions);
        // In quarters of n², of which there may be 2^126.
        let observed = 4 * n * i128::from(self.agreements);
        Coefficient::chance_corrected(observed, self.squares, 4 * n * n)
    }

    pub(crate) fn krippendorff_alpha(&self) -> Result<Coefficient, Undefined> {
        let labels = 2 * i128::from(self.positions);
        // p_a as a part of r²: (agreements/n · (r − 1)/r + 1/r) · r², where n = r/2.
        let observed = 2 * i128::from(self.agreements) * (labels - 1) + labels;
        Coefficient::chance_corrected(observed, self.squares, labels * labels)
    }
}
