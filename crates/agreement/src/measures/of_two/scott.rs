//! Scott's pi: agreement beyond chance of two raters with one distribution in common.

use crate::measures::of_two::pair_sums::PairSums;
use crate::{Coefficient, Contingency, Undefined};

/// Scott's pi of two raters.
///
/// # Formula
/// ```text
/// π = (p_o − p_e) / (1 − p_e)
/// p_e = Σ_k ((row_k + column_k) / 2n)²
/// ```
///
/// # Undefined when
/// No position is counted ([`Undefined::NoSharedPositions`]), or only one category was used
/// ([`Undefined::OneCategory`]).
///
/// # Reference
/// Scott, W. A. (1955). Reliability of content analysis: the case of nominal scale coding. *Public
/// Opinion Quarterly* 19(3), 321–325.
///
/// # Example
/// Artstein and Poesio (2008), page 568, printed as .7995.
/// ```
/// # use agreement::{Contingency, scott_pi};
/// let mut table = Contingency::new();
/// for (row, counts) in [("STAT", [46, 0, 0]), ("IReq", [6, 32, 6]), ("Chck", [0, 0, 10])] {
///     for (column, count) in ["STAT", "IReq", "Chck"].into_iter().zip(counts) {
///         table.add_count(row, column, count);
///     }
/// }
/// assert_eq!(format!("{:.4}", scott_pi(&table)?.value), "0.7995");
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn scott_pi<C: Ord + Clone>(table: &Contingency<C>) -> Result<Coefficient, Undefined> {
    PairSums::of(table).scott_pi()
}
