//! The coefficient of Brennan and Prediger: graded agreement, and chance that spreads evenly.

use crate::arithmetic::wide::Wide;
use crate::measures::of_many::weights::Weights;
use crate::{Coefficient, CoincidenceTally, Undefined};

/// The weighted coefficient of Brennan and Prediger, of two or more raters.
///
/// # Formula
/// ```text
/// BP = (p_o − p_e) / (1 − p_e)               p_o as in gwet_ac2
/// p_e = Σ_kl w_kl / q²
/// ```
/// With identity weights it is [`randolph_kappa`](crate::randolph_kappa).
///
/// # Undefined when
/// No item has two ratings ([`Undefined::NoSharedPositions`]), a category occurs that has no
/// weights ([`Undefined::UndeclaredCategory`]), or chance alone would give full agreement
/// ([`Undefined::NoExpectedDisagreement`]).
///
/// # Reference
/// Brennan, R. L. and Prediger, D. J. (1981). Coefficient kappa: some uses, misuses, and
/// alternatives. *Educational and Psychological Measurement* 41, 687–699. Weights and missing
/// ratings after Gwet, K. L. (2014). *Handbook of Inter-Rater Reliability*, chapter 4.
///
/// # Example
/// ```
/// # use agreement::{Ratings, Scheme, Weights, brennan_prediger};
/// let study = Ratings::from_rows([[Some(1), Some(1)], [Some(1), Some(2)], [Some(3), Some(3)]])?;
/// let weights = Weights::by_value(Scheme::Linear, [1, 2, 3])?;
/// let bp = brennan_prediger(&study.coincidences(), &weights)?;
/// assert_eq!((bp.observed, bp.expected), (5.0 / 6.0, 5.0 / 9.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn brennan_prediger<C: Ord + Clone>(
    tally: &CoincidenceTally<C>,
    weights: &Weights<C>,
) -> Result<Coefficient, Undefined> {
    let observed = weights.observed(tally)?;
    let q = Wide::from(weights.len());
    let expected = weights.total() / (q * q);
    if (Wide::ONE - expected).is_positive() {
        Ok(Coefficient::of_shares(observed, expected))
    } else {
        Err(Undefined::NoExpectedDisagreement)
    }
}
