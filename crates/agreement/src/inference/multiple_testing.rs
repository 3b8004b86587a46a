//! The correction of p-values for how many tests there are.

use crate::arithmetic::number::{count64, float, sum};

/// p-values corrected for how many there are, so that rejecting all up to `q` makes a share of at most `q`
/// wrong rejections, however the tests depend on each other.
///
/// # Formula
/// With `p_(i)` the `i`-th smallest of `m`, and `c = Σ_j 1/j` for `j` from 1 to `m`:
/// ```text
/// corrected_(i) = min over j ≥ i of min(1, m c p_(j) / j)
/// ```
///
/// # Reference
/// Benjamini, Y. and Yekutieli, D. (2001). The control of the false discovery rate in multiple testing
/// under dependency. *Annals of Statistics* 29(4), 1165–1188.
///
/// # Example
/// ```
/// # use agreement::inference::benjamini_yekutieli;
/// let corrected = benjamini_yekutieli(&[0.01, 0.04, 0.02]);
/// let rounded: Vec<_> = corrected.iter().map(|p| format!("{p:.4}")).collect();
/// assert_eq!(rounded, ["0.0550", "0.0733", "0.0550"]);
/// ```
pub fn benjamini_yekutieli(p_values: &[f64]) -> Vec<f64> {
    let m = count64(p_values.len());
    let c = sum((1..=m).map(|j| float(j).recip()));
    // From the largest, since what follows a p-value bounds it.
    let ranked = (1..=m).rev().zip(ascending(p_values).into_iter().rev());
    in_turn(p_values, ranked, 1.0, |least, rank, p| least.min(float(m) * c * p / float(rank)))
}

/// p-values corrected for how many there are, so that rejecting all up to `α` makes any wrong rejection at
/// most that likely, however the tests depend on each other.
///
/// # Formula
/// With `p_(i)` the `i`-th smallest of `m`:
/// ```text
/// corrected_(i) = max over j ≤ i of min(1, (m − j + 1) p_(j))
/// ```
///
/// # Reference
/// Holm, S. (1979). A simple sequentially rejective multiple test procedure. *Scandinavian Journal of
/// Statistics* 6(2), 65–70. Recommended for comparing classifiers by Demšar, J. (2006). Statistical
/// comparisons of classifiers over multiple data sets. *Journal of Machine Learning Research* 7, 1–30.
///
/// # Example
/// ```
/// # use agreement::inference::holm;
/// let corrected = holm(&[0.01, 0.04, 0.03, 0.005]);
/// let rounded: Vec<_> = corrected.iter().map(|p| format!("{p:.2}")).collect();
/// assert_eq!(rounded, ["0.03", "0.06", "0.06", "0.02"]);
/// ```
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let m = count64(p_values.len());
    let left = (1..=m).rev().zip(ascending(p_values));
    in_turn(p_values, left, 0.0, |most, left, p| most.max(float(left) * p).min(1.0))
}

/// Each p-value with its place, the smallest first.
fn ascending(p_values: &[f64]) -> Vec<(usize, f64)> {
    let mut order: Vec<(usize, f64)> = p_values.iter().copied().enumerate().collect();
    order.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    order
}

/// Corrects one p-value after the other, each from a number, itself and what the one before came to.
fn in_turn(
    p_values: &[f64],
    order: impl Iterator<Item = (u64, (usize, f64))>,
    first: f64,
    correct: impl Fn(f64, u64, f64) -> f64,
) -> Vec<f64> {
    let mut corrected = vec![first; p_values.len()];
    let mut before = first;
    for (number, (place, p_value)) in order {
        before = correct(before, number, p_value);
        if let Some(corrected) = corrected.get_mut(place) {
            *corrected = before;
        }
    }
    corrected
}
