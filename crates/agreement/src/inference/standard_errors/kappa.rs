//! Standard error, interval and test of Cohen's kappa, for any number of categories.

use crate::arithmetic::number::{float, sum};
use crate::arithmetic::ratio::ratio;
use crate::inference::{Estimate, Reference, Test};
use crate::{Contingency, Undefined, cohen_kappa};

/// Cohen's kappa with its large-sample standard error.
///
/// # Formula
/// With proportions `p_ij`, margins `p_i.` and `p_.j`:
/// ```text
/// n(1 − p_e)⁴ σ² = Σ_i p_ii [(1 − p_e) − (p_i. + p_.i)(1 − p_o)]²
///                + (1 − p_o)² Σ_{i≠j} p_ij (p_.i + p_j.)² − (p_o p_e − 2p_e + p_o)²
/// ```
/// The right side is a variance, and it is summed as squares of deviations from the mean, so that
/// nothing cancels. Only cells that count something cost time.
///
/// # Undefined when
/// [`cohen_kappa`] is.
///
/// # Reference
/// Fleiss, J. L., Cohen, J. and Everitt, B. S. (1969). Large sample standard errors of kappa and
/// weighted kappa. *Psychological Bulletin* 72(5), 323–327, equation 13. For two categories it is
/// equation 5 of Krenn, Evert and Zinsmeister (2004).
///
/// # Example
/// Figure 2 of Krenn, Evert and Zinsmeister (2004), with their interval of ±1.96 σ.
/// ```
/// # use agreement::{Contingency, inference::cohen_kappa_estimate};
/// let mut table = Contingency::new();
/// for (row, column, count) in [("+", "+", 40), ("+", "-", 15), ("-", "+", 20), ("-", "-", 25)] {
///     table.add_count(row, column, count);
/// }
/// let kappa = cohen_kappa_estimate(&table)?;
/// assert_eq!(format!("{:.4} ± {:.4}", kappa.value, kappa.standard_error), "0.2857 ± 0.0961");
/// let interval = kappa.interval_at(1.96);
/// assert_eq!(format!("{:.3} to {:.3}", interval.lower, interval.upper), "0.097 to 0.474");
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn cohen_kappa_estimate<C: Ord + Clone>(table: &Contingency<C>) -> Result<Estimate, Undefined> {
    let kappa = cohen_kappa(table)?;
    let n = i128::from(table.total());
    let margins = table.margins();
    let by_chance: i128 = margins.values().map(|m| i128::from(m.row) * i128::from(m.column)).sum();
    let (square, agreements) = (n * n, i128::from(table.agreements()));
    let disagreement = ratio(n - agreements, n);
    let beyond_chance = ratio(square - by_chance, square);
    let variance = sum(table.cells().map(|(row, column, count)| {
        let margin_of = |category| margins.get(category).copied().unwrap_or_default();
        let deviation = if row == column {
            let margin = margin_of(row);
            let both = i128::from(margin.row) + i128::from(margin.column);
            disagreement * ratio(square + by_chance - n * both, square)
        } else {
            let others = i128::from(margin_of(row).column) + i128::from(margin_of(column).row);
            disagreement * ratio(2 * by_chance - n * others, square)
                - ratio(agreements, n) * beyond_chance
        };
        ratio(count.into(), n) * deviation * deviation
    }));
    let standard_error = (variance / float(table.total())).sqrt() / (beyond_chance * beyond_chance);
    Ok(Estimate { value: kappa.value, standard_error, reference: Reference::Normal })
}

/// The standard error that Cohen's kappa would have if there were only chance agreement.
///
/// # Formula
/// ```text
/// n(1 − p_e)² σ0² = p_e + p_e² − Σ_k p_k. p_.k (p_k. + p_.k)
/// ```
/// The right side is one fraction of integers, exact below two billion positions.
///
/// # Undefined when
/// [`cohen_kappa`] is.
///
/// # Reference
/// Fleiss, Cohen and Everitt (1969), equation 14.
///
/// # Example
/// ```
/// # use agreement::{Contingency, inference::cohen_kappa_error_by_chance};
/// let mut table = Contingency::new();
/// for (row, column, count) in [("+", "+", 40), ("+", "-", 15), ("-", "+", 20), ("-", "-", 25)] {
///     table.add_count(row, column, count);
/// }
/// assert_eq!(format!("{:.4}", cohen_kappa_error_by_chance(&table)?), "0.0995");
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn cohen_kappa_error_by_chance<C: Ord + Clone>(
    table: &Contingency<C>,
) -> Result<f64, Undefined> {
    cohen_kappa(table)?;
    let n = i128::from(table.total());
    let margins: Vec<(i128, i128)> =
        table.margins().values().map(|m| (m.row.into(), m.column.into())).collect();
    let by_chance: i128 = margins.iter().map(|(row, column)| row * column).sum();
    let beyond_chance = ratio(n * n - by_chance, n * n);
    let variance = exact_variance(&margins, n, by_chance)
        .unwrap_or_else(|| positive_variance(&margins, n, by_chance));
    Ok((variance / float(table.total())).sqrt() / beyond_chance)
}

/// `p_e + p_e² − Σ …`; `None` if a product leaves 128 bits.
fn exact_variance(margins: &[(i128, i128)], n: i128, by_chance: i128) -> Option<f64> {
    let square = n.checked_mul(n)?;
    let cubes = margins.iter().try_fold(0_i128, |total, (row, column)| {
        total.checked_add(row.checked_mul(*column)?.checked_mul(row + column)?)
    })?;
    let numerator = by_chance
        .checked_mul(square)?
        .checked_add(by_chance.checked_mul(by_chance)?)?
        .checked_sub(cubes.checked_mul(n)?)?;
    Some(ratio(numerator, square.checked_mul(square)?))
}

/// The same as a sum of squares over all pairs of categories: slower, but it cannot overflow.
fn positive_variance(margins: &[(i128, i128)], n: i128, by_chance: i128) -> f64 {
    let share = |count: i128| ratio(count, n);
    let expected = ratio(by_chance, n * n);
    sum(margins.iter().enumerate().flat_map(|(i, &(row, row_twin))| {
        margins.iter().enumerate().map(move |(j, &(column_twin, column))| {
            let deviation = if i == j {
                share(n - row_twin) - ratio(row * n - by_chance, n * n)
            } else {
                expected - share(row_twin) - share(column_twin)
            };
            share(row) * share(column) * deviation * deviation
        })
    }))
}

/// The test of whether there is any agreement beyond chance: `z = κ / σ0`.
///
/// # Undefined when
/// [`cohen_kappa`] is, or chance alone leaves nothing to vary ([`Undefined::NoVariance`]).
///
/// # Reference
/// Fleiss, Cohen and Everitt (1969), page 325.
pub fn cohen_kappa_test<C: Ord + Clone>(table: &Contingency<C>) -> Result<Test, Undefined> {
    let value = cohen_kappa(table)?.value;
    let standard_error = cohen_kappa_error_by_chance(table)?;
    Estimate { value, standard_error, reference: Reference::Normal }.test()
}

#[cfg(test)]
mod tests {
    use super::{exact_variance, positive_variance};

    #[test]
    fn both_ways_to_the_variance_by_chance_agree() {
        for margins in [
            vec![(55, 60), (45, 40)],
            vec![(999_999, 999_998), (1, 2)],
            vec![(120, 100), (60, 60), (20, 40)],
            vec![(10, 0), (0, 10)],
        ] {
            let n: i128 = margins.iter().map(|(row, _)| row).sum();
            let by_chance = margins.iter().map(|(row, column)| row * column).sum();
            let exact = exact_variance(&margins, n, by_chance).unwrap();
            let positive = positive_variance(&margins, n, by_chance);
            assert!((exact - positive).abs() <= 1e-12 * exact, "{margins:?}: {exact} {positive}");
        }
        let large = i128::from(u64::MAX >> 2);
        assert_eq!(exact_variance(&[(large, large), (1, 1)], large + 1, large * large + 1), None);
    }
}
