//! Standard errors of weighted kappa.

use std::collections::BTreeMap;

use crate::arithmetic::number::{float, sum};
use crate::arithmetic::ratio::ratio;
use crate::inference::{Estimate, Reference, Test};
use crate::{Contingency, Undefined};

/// Cohen's weighted kappa with its large-sample standard error.
///
/// `disagreement` says how bad it is that the row rater said the one category and the column
/// rater the other; 0 is agreement, and the scale does not matter.
///
/// # Formula
/// With `D_o = Σ v_ij p_ij`, `D_e = Σ v_ij p_i. p_.j` and the mean weights
/// `v_i. = Σ_j v_ij p_.j`, `v_.j = Σ_i v_ij p_i.`:
/// ```text
/// κ_w = 1 − D_o / D_e
/// n D_e⁴ σ² = Σ p_ij [v_ij D_e − (v_i. + v_.j) D_o + D_o D_e]²
/// ```
/// This is the equation of the paper, whose weights are agreements, written with disagreements
/// and as a sum of squares.
///
/// # Undefined when
/// No position is counted ([`Undefined::NoSharedPositions`]), or chance would give no
/// disagreement either ([`Undefined::OneCategory`]).
///
/// # Reference
/// Fleiss, Cohen and Everitt (1969), equation 8.
///
/// # Example
/// Cohen (1960), page 45, with the distances of the categories as weights.
/// ```
/// # use agreement::{Contingency, inference::weighted_kappa_estimate};
/// let mut table = Contingency::new();
/// for (row, counts) in [(1_i32, [88, 14, 18]), (2, [10, 40, 10]), (3, [2, 6, 12])] {
///     for (column, count) in (1_i32..).zip(counts) {
///         table.add_count(row, column, count);
///     }
/// }
/// let kappa = weighted_kappa_estimate(&table, |a, b| f64::from(a.abs_diff(*b)))?;
/// assert_eq!(format!("{:.4}", kappa.standard_error), "0.0544");
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn weighted_kappa_estimate<C: Ord + Clone>(
    table: &Contingency<C>,
    disagreement: impl Fn(&C, &C) -> f64,
) -> Result<Estimate, Undefined> {
    let parts = Parts::of(table, &disagreement)?;
    let (observed, expected) = (parts.observed, parts.expected);
    let variance = sum(table.cells().map(|(row, column, count)| {
        let means = parts.mean_from(row) + parts.mean_to(column);
        let deviation =
            disagreement(row, column) * expected - means * observed + observed * expected;
        ratio(count.into(), table.total().into()) * deviation * deviation
    }));
    let standard_error = (variance / float(table.total())).sqrt() / (expected * expected);
    let value = 1.0 - observed / expected;
    Ok(Estimate { value, standard_error, reference: Reference::Normal })
}

/// The standard error that weighted kappa would have if there were only chance agreement.
///
/// # Formula
/// ```text
/// n D_e² σ0² = Σ p_i. p_.j [v_ij − v_i. − v_.j + D_e]²
/// ```
///
/// # Undefined when
/// [`weighted_kappa_estimate`] is.
///
/// # Reference
/// Fleiss, Cohen and Everitt (1969), equation 9.
pub fn weighted_kappa_error_by_chance<C: Ord + Clone>(
    table: &Contingency<C>,
    disagreement: impl Fn(&C, &C) -> f64,
) -> Result<f64, Undefined> {
    let parts = Parts::of(table, &disagreement)?;
    let variance = sum(parts.rows.iter().flat_map(|(row, (row_share, from))| {
        let (disagreement, expected) = (&disagreement, parts.expected);
        parts.columns.iter().map(move |(column, (column_share, to))| {
            let deviation = disagreement(row, column) - from - to + expected;
            row_share * column_share * deviation * deviation
        })
    }));
    Ok((variance / float(table.total())).sqrt() / parts.expected)
}

/// The test of whether there is any weighted agreement beyond chance: `z = κ_w / σ0`.
///
/// # Undefined when
/// [`weighted_kappa_estimate`] is, or chance alone leaves nothing to vary
/// ([`Undefined::NoVariance`]).
///
/// # Reference
/// That of [`weighted_kappa_error_by_chance`].
pub fn weighted_kappa_test<C: Ord + Clone>(
    table: &Contingency<C>,
    disagreement: impl Fn(&C, &C) -> f64,
) -> Result<Test, Undefined> {
    let estimate = weighted_kappa_estimate(table, &disagreement)?;
    let standard_error = weighted_kappa_error_by_chance(table, &disagreement)?;
    Estimate { standard_error, ..estimate }.test()
}

/// What both standard errors are made of: per category its share and its mean weight.
struct Parts<'a, C> {
    rows: BTreeMap<&'a C, (f64, f64)>,
    columns: BTreeMap<&'a C, (f64, f64)>,
    observed: f64,
    expected: f64,
}

impl<'a, C: Ord + Clone> Parts<'a, C> {
    fn of(
        table: &'a Contingency<C>,
        disagreement: &impl Fn(&C, &C) -> f64,
    ) -> Result<Self, Undefined> {
        if table.is_empty() {
            return Err(Undefined::NoSharedPositions);
        }
        let n = table.total();
        let share = |count: u64| ratio(count.into(), n.into());
        let margins = table.margins();
        let row_shares: Vec<_> =
            margins.iter().filter(|(_, m)| m.row > 0).map(|(c, m)| (*c, share(m.row))).collect();
        let column_shares: Vec<_> = margins
            .iter()
            .filter(|(_, m)| m.column > 0)
            .map(|(c, m)| (*c, share(m.column)))
            .collect();
        let rows: BTreeMap<_, _> = row_shares
            .iter()
            .map(|&(row, part)| {
                let mean = sum(column_shares.iter().map(|(c, s)| s * disagreement(row, c)));
                (row, (part, mean))
            })
            .collect();
        let columns = column_shares
            .iter()
            .map(|&(column, part)| {
                let mean = sum(row_shares.iter().map(|(r, s)| s * disagreement(r, column)));
                (column, (part, mean))
            })
            .collect();
        let observed = sum(table.cells().map(|(r, c, count)| share(count) * disagreement(r, c)));
        let expected = sum(rows.values().map(|(part, mean)| part * mean));
        if expected > 0.0 && expected.is_finite() && observed.is_finite() {
            Ok(Self { rows, columns, observed, expected })
        } else {
            Err(Undefined::OneCategory)
        }
    }

    fn mean_from(&self, row: &C) -> f64 {
        self.rows.get(row).map_or(0.0, |(_, mean)| *mean)
    }

    fn mean_to(&self, column: &C) -> f64 {
        self.columns.get(column).map_or(0.0, |(_, mean)| *mean)
    }
}
