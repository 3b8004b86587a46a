//! `McNemar`'s test: is one of two more often right?

use crate::Undefined;
use crate::inference::TwoSided;
use crate::inference::distributions::exact::binomial;

/// The most items on which two may differ.
const CAPACITY: u64 = 1 << 40;

/// `McNemar`'s exact test of two who judged the same items: the two-sided p-value.
///
/// Only items that one of them got right count; if both are as good, it is the first half of the time.
/// Items are taken for independent of each other; where those of a document are not, draw whole documents:
/// [`permutation_test`](crate::inference::permutation_test).
///
/// # Formula
/// ```text
/// p = P(|X − n/2| ≥ |only_first − n/2|),  X binomial of n = only_first + only_second and one half
/// ```
///
/// # Undefined when
/// There is no such item ([`Undefined::NoVariance`]), or there are more than 2^40
/// ([`Undefined::TooManyPositions`]).
///
/// # Reference
/// `McNemar`, Q. (1947). Note on the sampling error of the difference between correlated proportions or
/// percentages. *Psychometrika* 12(2), 153–157.
///
/// # Example
/// ```
/// # use agreement::inference::mcnemar_exact;
/// let p = mcnemar_exact(1, 7)?;
/// assert!((p - 18.0 / 256.0).abs() < 1e-15);
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn mcnemar_exact(only_first: u64, only_second: u64) -> Result<f64, Undefined> {
    match only_first.checked_add(only_second) {
        Some(0) => Err(Undefined::NoVariance),
        Some(differing) if differing <= CAPACITY => {
            Ok(binomial(only_first, differing, 1.0, TwoSided::AtMostAsLikely).p_value)
        }
        _ => Err(Undefined::TooManyPositions),
    }
}
