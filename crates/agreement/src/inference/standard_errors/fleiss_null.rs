//! The standard error of Fleiss' kappa if there were only chance agreement.

use crate::Undefined;
use crate::arithmetic::number::{float, sum};
use crate::inference::standard_errors::gwet::shares;
use crate::inference::{Estimate, ItemCounts, Reference, Test, fleiss_kappa_estimate};

/// The standard error that Fleiss' kappa would have if there were only chance agreement.
///
/// # Formula
/// With `N` items, `R` ratings each, and `S = Σ_k π_k (1 − π_k)`:
/// ```text
/// σ0² = 2 / (N R (R − 1)) · [S² − Σ_k π_k (1 − π_k) (1 − 2π_k)] / S²
/// ```
///
/// # Undefined when
/// No item has two ratings ([`Undefined::NoSharedPositions`]), items have differing numbers of
/// ratings ([`Undefined::UnequalRatings`]), or only one category was used
/// ([`Undefined::OneCategory`]).
///
/// # Reference
/// Fleiss, J. L., Nee, J. C. M. and Landis, J. R. (1979). Large sample variance of kappa in the
/// case of different sets of raters. *Psychological Bulletin* 86(5), 974–977.
///
/// # Example
/// Two items, each seen alike by two raters.
/// ```
/// # use agreement::inference::{ItemCounts, fleiss_kappa_error_by_chance};
/// let items = ItemCounts::from_counts([[2, 0], [0, 2]]);
/// assert!((fleiss_kappa_error_by_chance(&items)? - 0.5_f64.sqrt()).abs() < 1e-15);
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn fleiss_kappa_error_by_chance(items: &ItemCounts) -> Result<f64, Undefined> {
    let mut numbers: Vec<u128> = items
        .patterns()
        .map(|(pattern, _)| pattern.iter().map(|&(_, count)| u128::from(count)).sum())
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    let each = match numbers.as_slice() {
        [] | [0 | 1] => return Err(Undefined::NoSharedPositions),
        [each] => u64::try_from(*each).map(float).or(Err(Undefined::TooManyPositions))?,
        _ => return Err(Undefined::UnequalRatings),
    };
    let shares = shares(items);
    let spread = sum(shares.iter().map(|share| share * (1.0 - share)));
    if spread <= 0.0 {
        return Err(Undefined::OneCategory);
    }
    let skew = sum(shares.iter().map(|share| share * (1.0 - share) * (1.0 - 2.0 * share)));
    let pairs = float(items.items()) * each * (each - 1.0) / 2.0;
    Ok(((spread * spread - skew).max(0.0) / pairs).sqrt() / spread)
}

/// The test of whether there is any agreement beyond chance: `z = κ / σ0`.
///
/// # Undefined when
/// [`fleiss_kappa_error_by_chance`] is, or there is only one item ([`Undefined::TooFewUnits`]).
///
/// # Reference
/// That of [`fleiss_kappa_error_by_chance`].
pub fn fleiss_kappa_test(items: &ItemCounts) -> Result<Test, Undefined> {
    let standard_error = fleiss_kappa_error_by_chance(items)?;
    let value = fleiss_kappa_estimate(items)?.value;
    Estimate { value, standard_error, reference: Reference::Normal }.test()
}
