//! Percent agreement: how often two raters said the same.

use crate::{Coefficient, Contingency, Undefined};

/// The share of positions on which both raters said the same.
///
/// # Formula
/// ```text
/// p = agreements / n
/// ```
/// Nothing is ascribed to chance, so `expected` is 0 and `value` equals `observed`.
///
/// # Undefined when
/// No position is counted ([`Undefined::NoSharedPositions`]).
///
/// # Reference
/// Artstein, R. and Poesio, M. (2008). Inter-coder agreement for computational linguistics.
/// *Computational Linguistics* 34(4), 555–596; there `A_o`.
///
/// # Example
/// Table 1 of that paper: 70 of 100 utterances.
/// ```
/// # use agreement::{Contingency, percent};
/// let mut table = Contingency::new();
/// table.add_count("STAT", "STAT", 20);
/// table.add_count("STAT", "IReq", 10);
/// table.add_count("IReq", "STAT", 20);
/// table.add_count("IReq", "IReq", 50);
/// assert_eq!(percent(&table)?.value, 0.7);
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn percent<C: Ord + Clone>(table: &Contingency<C>) -> Result<Coefficient, Undefined> {
    Coefficient::chance_corrected(table.agreements().into(), 0, table.total().into())
}
