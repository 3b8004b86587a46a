//! Gwet's AC1 and AC2: chance agreement that takes hard items to be few.

use crate::arithmetic::wide::Wide;
use crate::measures::of_many::fleiss::shares;
use crate::measures::of_many::percent::share_by_item;
use crate::measures::of_many::randolph::choices;
use crate::measures::of_many::weights::Weights;
use crate::{Coefficient, CoincidenceTally, NominalTally, Undefined};

/// Gwet's AC1 of two or more raters, with `q` categories to choose from.
///
/// # Formula
/// ```text
/// AC1 = (p_o − p_e) / (1 − p_e)              p_o as in percent_by_item
/// p_e = Σ_k p_k (1 − p_k) / (q − 1)          p_k = mean of n_ik / m_i over items with m_i > 0
/// ```
/// Declared categories count in `q` though nobody used them.
///
/// # Undefined when
/// No item has two ratings ([`Undefined::NoSharedPositions`]), there is one choice only
/// ([`Undefined::OneCategory`]), or more than `q` categories occur
/// ([`Undefined::UndeclaredCategory`]).
///
/// # Reference
/// Gwet, K. L. (2008). Computing inter-rater reliability and its variance in the presence of high
/// agreement. *British Journal of Mathematical and Statistical Psychology* 61, 29–48.
///
/// # Example
/// Two abstractors of pregnancies, a data set of irrCAC, for which it prints .84933.
/// ```
/// # use agreement::{Contingency, NominalTally, gwet_ac1};
/// let mut table = Contingency::new();
/// for (row, counts) in [("Ectopic", [13, 0, 0]), ("AIU", [0, 20, 7]), ("NIU", [0, 4, 56])] {
///     for (column, count) in ["Ectopic", "AIU", "NIU"].into_iter().zip(counts) {
///         table.add_count(row, column, count);
///     }
/// }
/// let ac1 = gwet_ac1(&NominalTally::from(&table), 3)?;
/// assert_eq!(format!("{:.5}", ac1.value), "0.84933");
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn gwet_ac1<C: Ord + Clone>(
    tally: &NominalTally<C>,
    q: usize,
) -> Result<Coefficient, Undefined> {
    let observed = share_by_item(tally)?;
    let others = choices(tally, q)? - 1;
    Ok(Coefficient::of_shares(observed, spread(tally) / Wide::from(others)))
}

/// Gwet's AC2: [`gwet_ac1`] with agreement graded by weights.
///
/// # Formula
/// ```text
/// AC2 = (p_o − p_e) / (1 − p_e)
/// p_o = mean over items with m_i > 1 of Σ_k n_ik (Σ_l w_kl n_il − 1) / m_i (m_i − 1)
/// p_e = T / q (q − 1) · Σ_k p_k (1 − p_k)    T = Σ_kl w_kl
/// ```
/// The categories are those the weights were made for.
///
/// # Undefined when
/// No item has two ratings ([`Undefined::NoSharedPositions`]), a category occurs that has no
/// weights ([`Undefined::UndeclaredCategory`]), or chance alone would give full agreement
/// ([`Undefined::NoExpectedDisagreement`]).
///
/// # Reference
/// Gwet, K. L. (2014). *Handbook of Inter-Rater Reliability*, 4th edition, chapters 3 and 4.
///
/// # Example
/// Cohen (1960), page 37, with quadratic weights as irrCAC computes them.
/// ```
/// # use agreement::{CoincidenceTally, Contingency, Scheme, Weights, gwet_ac2};
/// let mut table = Contingency::new();
/// for (row, counts) in [(1, [25, 12, 3]), (2, [13, 2, 15]), (3, [12, 16, 2])] {
///     for (column, count) in (1..).zip(counts) {
///         table.add_count(row, column, count);
///     }
/// }
/// let weights = Weights::by_value(Scheme::Quadratic, [1, 2, 3])?;
/// let ac2 = gwet_ac2(&CoincidenceTally::from(&table), &weights)?;
/// assert_eq!(format!("{:.4}", ac2.value), "0.1831");
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn gwet_ac2<C: Ord + Clone>(
    tally: &CoincidenceTally<C>,
    weights: &Weights<C>,
) -> Result<Coefficient, Undefined> {
    let observed = weights.observed(tally)?;
    let q = Wide::from(weights.len());
    let all_pairs = q * (q - Wide::ONE);
    let expected = weights.total() / all_pairs * spread(tally.nominal());
    if (Wide::ONE - expected).is_positive() {
        Ok(Coefficient::of_shares(observed, expected))
    } else {
        Err(Undefined::NoExpectedDisagreement)
    }
}

/// `Σ_k p_k (1 − p_k)`
fn spread<C: Ord + Clone>(tally: &NominalTally<C>) -> Wide {
    Wide::sum(shares(tally).into_values().map(|share| share * (Wide::ONE - share)))
}
