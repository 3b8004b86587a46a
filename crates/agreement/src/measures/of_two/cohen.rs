//! Cohen's kappa: agreement beyond what the two raters' own habits give by chance.

use crate::measures::of_two::pair_sums::PairSums;
use crate::{Coefficient, Contingency, Undefined};

/// Cohen's kappa of two raters with distributions of their own.
///
/// # Formula
/// ```text
/// κ = (p_o − p_e) / (1 − p_e)
/// p_o = agreements / n
/// p_e = Σ_k row_k · column_k / n²
/// ```
/// Only categories that occur matter: a label set's unused categories add nothing, and the raters
/// may use different sets.
///
/// # Undefined when
/// No position is counted ([`Undefined::NoSharedPositions`]), or `p_e` is 1 because both raters
/// used one and the same category throughout ([`Undefined::OneCategory`]).
///
/// # Reference
/// Cohen, J. (1960). A coefficient of agreement for nominal scales. *Educational and
/// Psychological Measurement* 20(1), 37–46.
///
/// # Example
/// The table of page 45, printed as .492.
/// ```
/// # use agreement::{Contingency, cohen_kappa};
/// let mut table = Contingency::new();
/// for (row, counts) in [(1, [88, 14, 18]), (2, [10, 40, 10]), (3, [2, 6, 12])] {
///     for (column, count) in (1..).zip(counts) {
///         table.add_count(row, column, count);
///     }
/// }
/// let kappa = cohen_kappa(&table)?;
/// assert_eq!((kappa.observed, kappa.expected), (0.7, 0.41));
/// assert_eq!(format!("{:.3}", kappa.value), "0.492");
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn cohen_kappa<C: Ord + Clone>(table: &Contingency<C>) -> Result<Coefficient, Undefined> {
    PairSums::of(table).cohen_kappa()
}

/// The largest kappa that two raters could reach who use the categories as often as these two.
///
/// # Formula
/// ```text
/// κ_max = (p_max − p_e) / (1 − p_e)
/// p_max = Σ_k min(row_k, column_k) / n
/// ```
/// `observed` is `p_max`. Where the raters share no category it is 0 or below.
///
/// # Undefined when
/// [`cohen_kappa`] is.
///
/// # Reference
/// Cohen (1960), page 42.
///
/// # Example
/// The table of page 45 allows no more than .831.
/// ```
/// # use agreement::{Contingency, cohen_kappa_max};
/// let mut table = Contingency::new();
/// for (row, counts) in [(1, [88, 14, 18]), (2, [10, 40, 10]), (3, [2, 6, 12])] {
///     for (column, count) in (1..).zip(counts) {
///         table.add_count(row, column, count);
///     }
/// }
/// let largest = cohen_kappa_max(&table)?;
/// assert_eq!(largest.observed, 0.9);
/// assert_eq!(format!("{:.3}", largest.value), "0.831");
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn cohen_kappa_max<C: Ord + Clone>(table: &Contingency<C>) -> Result<Coefficient, Undefined> {
    let n = i128::from(table.total());
    let shared: i128 = table.margins().values().map(|m| i128::from(m.row.min(m.column))).sum();
    let [_, expected, whole] = PairSums::of(table).cohen_parts();
    Coefficient::chance_corrected(n * shared, expected, whole)
}

/// The numbers that the formula of [`cohen_kappa`] is filled in with.
#[derive(Clone, Debug, PartialEq)]
pub struct KappaSteps<C> {
    /// How many positions were compared.
    pub n: u64,
    /// On how many of them the two said the same.
    pub agreements: u64,
    /// Each category that occurs, with the row rater's and the column rater's total; sorted.
    pub per_category: Vec<(C, u64, u64)>,
    /// `p_o`.
    pub observed: f64,
    /// `p_e`.
    pub expected: f64,
    /// `κ`, the value of [`cohen_kappa`].
    pub kappa: f64,
}

/// [`cohen_kappa`] step by step; undefined when it is.
///
/// # Example
/// Komen (2009), table (6): John says "2" where Mary never does, and `p_e` is still defined.
/// ```
/// # use agreement::{Contingency, kappa_steps};
/// let john = [0, 1, 2, 0, 0, 1, 0, 2, 0, 0];
/// let mary = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0];
/// let table: Contingency<_> = john.into_iter().zip(mary).collect();
/// let steps = kappa_steps(&table)?;
/// assert_eq!(steps.per_category, [(0, 6, 8), (1, 2, 2), (2, 2, 0)]);
/// assert_eq!((steps.observed, steps.expected), (0.6, 0.52));
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn kappa_steps<C: Ord + Clone>(table: &Contingency<C>) -> Result<KappaSteps<C>, Undefined> {
    let Coefficient { value, observed, expected } = cohen_kappa(table)?;
    let per_category = table
        .margins()
        .into_iter()
        .map(|(category, margin)| (category.clone(), margin.row, margin.column))
        .collect();
    Ok(KappaSteps {
        n: table.total(),
        agreements: table.agreements(),
        per_category,
        observed,
        expected,
        kappa: value,
    })
}
