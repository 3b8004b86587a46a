//! The correction of several tests at once.

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
    let mut order: Vec<(usize, f64)> = p_values.iter().copied().enumerate().collect();
    // From the largest, since what follows a p-value bounds it.
    order.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let mut corrected = vec![1.0; p_values.len()];
    let mut least = 1.0_f64;
    for (rank, (place, p_value)) in (1..=m).rev().zip(order) {
        least = least.min(float(m) * c * p_value / float(rank));
        if let Some(corrected) = corrected.get_mut(place) {
            *corrected = least;
        }
    }
    corrected
}
