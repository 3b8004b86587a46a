//! Distributions over categories, side by side.

use crate::Undefined;
use crate::arithmetic::number::sum;

/// How far from 1 probabilities may add up to: those of many categories that were rounded to three digits.
const ROUNDING: f64 = 1e-3;

/// Whether these are the probabilities of a distribution: none below 0, together 1, to 10⁻³ since files
/// round them.
///
/// ```
/// # use agreement::is_distribution;
/// assert!(is_distribution(&[0.333, 0.333, 0.333]));
/// assert!(!is_distribution(&[0.5, 0.4]) && !is_distribution(&[1.5, -0.5]));
/// ```
pub fn is_distribution(probabilities: &[f64]) -> bool {
    let are_shares = probabilities.iter().all(|share| *share >= 0.0 && share.is_finite());
    // A sum of shares that were rounded to the limit may come out a hair beyond it.
    are_shares && (sum(probabilities.iter().copied()) - 1.0).abs() <= ROUNDING + 1e-12
}

/// The predicted and the people's probability of each category.
pub(super) fn side_by_side<'a>(
    predicted: &'a [f64],
    people: &'a [f64],
) -> Result<impl Iterator<Item = (f64, f64)> + Clone + use<'a>, Undefined> {
    if predicted.len() != people.len() {
        return Err(Undefined::UndeclaredCategory);
    }
    if !is_distribution(predicted) || !is_distribution(people) {
        return Err(Undefined::NoDistribution);
    }
    Ok(predicted.iter().copied().zip(people.iter().copied()))
}
