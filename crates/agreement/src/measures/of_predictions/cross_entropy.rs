//! The cross entropy of a predicted distribution with that of people.

use super::distributions::side_by_side;
use crate::Undefined;
use crate::arithmetic::number::sum;

/// Predicted probabilities are kept so far away from 0 and from 1.
const CLIPPED: f64 = 1e-12;
/// What is added to them before the logarithm.
const SMOOTHING: f64 = 1e-9;

/// How surprised the model would be by a person's answer, in nats: the less, the better. A distribution that is
/// hit exactly still has its own entropy.
///
/// # Formula
/// With `p_k` the predicted probability of category `k` and `t_k` the share of the people who chose it:
/// ```text
/// CE = −Σ_k t_k ln(p'_k + 10⁻⁹),   p'_k = p_k, at least 10⁻¹² and at most 1 − 10⁻¹²
/// ```
/// So a category that people chose and the model ruled out costs `t_k · 20.7`, not infinitely much.
///
/// # Undefined when
/// The two are of different numbers of categories ([`Undefined::UndeclaredCategory`]), or one is no
/// distribution ([`Undefined::NoDistribution`]).
///
/// # Reference
/// Leonardelli, E. et al. (2023). SemEval-2023 task 11: Learning with Disagreements (LeWiDi). *SemEval-2023*,
/// 2304–2318; smoothed as in the program that its participants were given.
///
/// # Example
/// ```
/// # use agreement::cross_entropy;
/// let even = cross_entropy(&[0.5, 0.5], &[0.75, 0.25])?;
/// assert!((even - 2_f64.ln()).abs() < 1e-8);
/// let ruled_out = cross_entropy(&[1.0, 0.0], &[0.0, 1.0])?;
/// assert!((ruled_out - 20.7223).abs() < 1e-4);
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn cross_entropy(predicted: &[f64], people: &[f64]) -> Result<f64, Undefined> {
    let cost = |p: f64| -libm::log(p.clamp(CLIPPED, 1.0 - CLIPPED) + SMOOTHING);
    Ok(sum(side_by_side(predicted, people)?.map(|(p, t)| t * cost(p))))
}
