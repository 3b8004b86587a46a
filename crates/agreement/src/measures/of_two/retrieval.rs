//! Accuracy, precision, recall and F1: one rater measured against another who is taken as right.
//!
//! Rows are the rater who is measured, columns the one who is taken as right.

use std::collections::BTreeMap;

use crate::arithmetic::ratio::ratio;
use crate::arithmetic::wide::Wide;
use crate::{Coefficient, Contingency, Undefined, percent};

/// The share of positions on which the row rater is right; the same as [`percent`].
///
/// # Formula
/// ```text
/// accuracy = agreements / n
/// ```
///
/// # Undefined when
/// No position is counted ([`Undefined::NoSharedPositions`]).
pub fn accuracy<C: Ord + Clone>(table: &Contingency<C>) -> Result<Coefficient, Undefined> {
    percent(table)
}

/// How often the row rater is right where they said this category.
///
/// # Formula
/// ```text
/// P_k = n_kk / row_k
/// ```
///
/// # Undefined when
/// They never said it ([`Undefined::CategoryNotUsed`]).
///
/// # Reference
/// van Rijsbergen, C. J. (1979). *Information Retrieval*, 2nd edition, chapter 7.
///
/// # Example
/// Annotators A (rows) and B of the lecture's left table: precision .8, recall .667, F1 .727.
/// ```
/// # use agreement::{Contingency, f1, precision, recall};
/// let mut table = Contingency::new();
/// table.add_count("positive", "positive", 4);
/// table.add_count("positive", "negative", 1);
/// table.add_count("negative", "positive", 2);
/// table.add_count("negative", "negative", 43);
/// assert_eq!(precision(&table, &"positive")?.value, 0.8);
/// assert_eq!(recall(&table, &"positive")?.value, 2.0 / 3.0);
/// assert_eq!(f1(&table, &"positive")?.value, 8.0 / 11.0);
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn precision<C: Ord + Clone>(
    table: &Contingency<C>,
    category: &C,
) -> Result<Coefficient, Undefined> {
    share(table.count(category, category), table.row_total(category))
}

/// How often the row rater said this category where it is right; the example is at [`precision`].
///
/// # Formula
/// ```text
/// R_k = n_kk / column_k
/// ```
///
/// # Undefined when
/// It never is: the column rater never said it ([`Undefined::CategoryNotUsed`]).
///
/// # Reference
/// van Rijsbergen, C. J. (1979). *Information Retrieval*, 2nd edition, chapter 7.
pub fn recall<C: Ord + Clone>(
    table: &Contingency<C>,
    category: &C,
) -> Result<Coefficient, Undefined> {
    share(table.count(category, category), table.column_total(category))
}

/// The harmonic mean of precision and recall; the example is at [`precision`].
///
/// # Formula
/// ```text
/// F1_k = 2 P_k R_k / (P_k + R_k) = 2 n_kk / (row_k + column_k)
/// ```
/// It does not depend on which of the two is taken as right.
///
/// # Undefined when
/// Neither of the two said this category ([`Undefined::CategoryNotUsed`]).
///
/// # Reference
/// van Rijsbergen, C. J. (1979). *Information Retrieval*, 2nd edition, chapter 7.
pub fn f1<C: Ord + Clone>(table: &Contingency<C>, category: &C) -> Result<Coefficient, Undefined> {
    let said = i128::from(table.row_total(category)) + i128::from(table.column_total(category));
    let agreed = 2 * i128::from(table.count(category, category));
    Coefficient::chance_corrected(agreed, 0, said).map_err(|_| Undefined::CategoryNotUsed)
}

/// How often a category was said, was right, or both: what its precision, recall and F1 are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CategoryCounts {
    /// How often the row rater said it where it is right.
    pub agreed: u64,
    /// How often the row rater said it.
    pub said: u64,
    /// How often it is right: the column rater said it.
    pub right: u64,
}

impl CategoryCounts {
    /// As [`precision`].
    pub fn precision(&self) -> Result<f64, Undefined> {
        share(self.agreed, self.said).map(|share| share.value)
    }

    /// As [`recall`].
    pub fn recall(&self) -> Result<f64, Undefined> {
        share(self.agreed, self.right).map(|share| share.value)
    }

    /// As [`f1`].
    pub fn f1(&self) -> Result<f64, Undefined> {
        match i128::from(self.said) + i128::from(self.right) {
            0 => Err(Undefined::CategoryNotUsed),
            said => Ok(ratio(2 * i128::from(self.agreed), said)),
        }
    }
}

/// The counts of every category that one of the two said, in one pass over the table: with many categories
/// faster than one of them after the other.
///
/// ```
/// # use agreement::{Contingency, category_counts, f1};
/// let table: Contingency<_> = [("a", "a"), ("a", "b"), ("c", "b")].into_iter().collect();
/// let counts = category_counts(&table);
/// assert_eq!((counts[&"b"].agreed, counts[&"b"].said, counts[&"b"].right), (0, 0, 2));
/// assert_eq!(counts[&"a"].f1()?, f1(&table, &"a")?.value);
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn category_counts<C: Ord + Clone>(table: &Contingency<C>) -> BTreeMap<&C, CategoryCounts> {
    let mut counts: BTreeMap<&C, CategoryCounts> = BTreeMap::new();
    for (row, column, count) in table.cells() {
        counts.entry(row).or_default().said += count;
        let of_column = counts.entry(column).or_default();
        of_column.right += count;
        of_column.agreed += if row == column { count } else { 0 };
    }
    counts
}

/// Precision, recall and F1 of several categories together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Retrieval {
    /// How often the row rater is right where they said one of the categories.
    pub precision: f64,
    /// How often they said the right one where it is one of them.
    pub recall: f64,
    /// The harmonic mean of both (micro), or the mean over categories (macro).
    pub f1: f64,
}

/// Precision, recall and F1 of all categories but `none`, pooled: every label weighs the same.
///
/// `none` is the category that says there is nothing, if there is one: without it all three equal
/// [`accuracy`].
///
/// # Undefined when
/// One of the two never used any of these categories ([`Undefined::CategoryNotUsed`]).
///
/// # Example
/// ```
/// # use agreement::{Contingency, micro_average};
/// let table: Contingency<_> =
///     [("PER", "PER"), ("PER", "O"), ("O", "ORG"), ("ORG", "ORG"), ("O", "O")].into_iter().collect();
/// let average = micro_average(&table, Some(&"O"))?;
/// assert_eq!((average.precision, average.recall), (2.0 / 3.0, 2.0 / 3.0));
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn micro_average<C: Ord + Clone>(
    table: &Contingency<C>,
    none: Option<&C>,
) -> Result<Retrieval, Undefined> {
    let (mut agreed, mut said, mut right) = (0_u64, 0_u64, 0_u64);
    for (_, counts) in category_counts(table).into_iter().filter(|(c, _)| Some(*c) != none) {
        agreed += counts.agreed;
        said += counts.said;
        right += counts.right;
    }
    Ok(Retrieval {
        precision: share(agreed, said)?.value,
        recall: share(agreed, right)?.value,
        f1: (Wide::from(2 * agreed) / Wide::from(said + right)).value(),
    })
}

/// The means of precision, recall and F1 over all categories that occur but `none`: every category
/// weighs the same.
///
/// # Undefined when
/// One of the two never used one of these categories, so that it has no precision or no recall
/// ([`Undefined::CategoryNotUsed`]), or there are none ([`Undefined::NoSharedPositions`]).
///
/// # Example
/// ```
/// # use agreement::{Contingency, macro_average};
/// let table: Contingency<_> = [(0, 0), (0, 0), (0, 1), (1, 1)].into_iter().collect();
/// let average = macro_average(&table, None)?;
/// assert_eq!((average.precision, average.recall), (10.0 / 12.0, 0.75));
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn macro_average<C: Ord + Clone>(
    table: &Contingency<C>,
    none: Option<&C>,
) -> Result<Retrieval, Undefined> {
    let counts = category_counts(table).into_iter().filter(|(category, _)| Some(*category) != none);
    let (mut precisions, mut recalls, mut f1s) = (Vec::new(), Vec::new(), Vec::new());
    for (_, CategoryCounts { agreed, said, right }) in counts {
        if said == 0 || right == 0 {
            return Err(Undefined::CategoryNotUsed);
        }
        precisions.push(Wide::ratio(agreed, said));
        recalls.push(Wide::ratio(agreed, right));
        f1s.push(Wide::ratio(2 * agreed, said + right));
    }
    Ok(Retrieval { precision: mean(precisions)?, recall: mean(recalls)?, f1: mean(f1s)? })
}

fn share(part: u64, whole: u64) -> Result<Coefficient, Undefined> {
    Coefficient::chance_corrected(part.into(), 0, whole.into())
        .map_err(|_| Undefined::CategoryNotUsed)
}

fn mean(values: Vec<Wide>) -> Result<f64, Undefined> {
    match u64::try_from(values.len()) {
        Ok(count) if count > 0 => Ok((Wide::sum(values) / Wide::from(count)).value()),
        _ => Err(Undefined::NoSharedPositions),
    }
}
