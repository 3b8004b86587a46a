//! The Manhattan distance of a predicted distribution from that of people.

use super::distributions::side_by_side;
use crate::Undefined;
use crate::arithmetic::number::sum;

/// How much of the probability lies elsewhere, counted where it is and where it should be: from 0 to 2.
///
/// # Formula
/// With `p_k` the predicted probability of category `k` and `t_k` the share of the people who chose it:
/// ```text
/// MD = Σ_k |p_k − t_k|
/// ```
///
/// # Undefined when
/// The two are of different numbers of categories ([`Undefined::UndeclaredCategory`]), or one is no
/// distribution ([`Undefined::NoDistribution`]).
///
/// # Reference
/// Leonardelli, E. et al. (2025). LeWiDi-2025 at NLPerspectives: the third edition of the Learning with
/// Disagreements shared task. *NLPerspectives 2025*; there its mean over items, the average Manhattan distance.
/// Rizzi, G. et al. (2024). Soft metrics for evaluation with disagreements: an assessment. *NLPerspectives 2024*,
/// 84–94.
///
/// # Example
/// Three of four people said yes, and the model expected half of them to.
/// ```
/// # use agreement::manhattan_distance;
/// assert_eq!(manhattan_distance(&[0.5, 0.5], &[0.75, 0.25])?, 0.5);
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn manhattan_distance(predicted: &[f64], people: &[f64]) -> Result<f64, Undefined> {
    Ok(sum(side_by_side(predicted, people)?.map(|(p, t)| (p - t).abs())))
}
