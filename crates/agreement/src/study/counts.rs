//! A study of items and categories, in which it is not known who rated what.

use super::{CAPACITY, Item, StudyError};
use crate::{CoincidenceTally, Contingency, NominalTally};

/// How many raters put each item in each category.
///
/// It is all that Fleiss' and Randolph's kappa, Gwet's coefficients, percentages and
/// Krippendorff's alpha ask for. Only categories that were used take room.
///
/// ```
/// # use agreement::{Counts, fleiss_kappa};
/// let study = Counts::from_table(["positive", "negative"], [[3, 0], [1, 2], [0, 3]])?;
/// assert_eq!(study.items().len(), 3);
/// assert!(fleiss_kappa(&study.nominal_tally()).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts<C> {
    pub(super) categories: Vec<C>,
    pub(super) items: Vec<(Item<C>, u64)>,
}

impl<C: Ord + Clone> Counts<C> {
    /// A study from items, each with the number of times it is to be counted.
    ///
    /// Categories are those that occur, and those declared beside.
    pub fn from_items(
        items: impl IntoIterator<Item = (Item<C>, u64)>,
        declared: impl IntoIterator<Item = C>,
    ) -> Result<Self, StudyError> {
        let items: Vec<(Item<C>, u64)> = items.into_iter().collect();
        let room = items.iter().try_fold(0_u64, |sum, (item, times)| {
            // An item nobody rated still has to be counted.
            sum.checked_add(item.ratings().max(1).checked_mul(*times)?)
        });
        if room.is_none_or(|room| room > CAPACITY) {
            return Err(StudyError::Full);
        }
        let mut categories: Vec<C> = declared.into_iter().collect();
        categories.extend(items.iter().flat_map(|(item, _)| item.counts().map(|(c, _)| c.clone())));
        categories.sort_unstable();
        categories.dedup();
        Ok(Self { categories, items })
    }

    /// A study from a table: one row per item, one column per category.
    ///
    /// All of the table's categories are declared, used or not.
    pub fn from_table<R: AsRef<[u64]>>(
        categories: impl IntoIterator<Item = C>,
        rows: impl IntoIterator<Item = R>,
    ) -> Result<Self, StudyError> {
        let categories: Vec<C> = categories.into_iter().collect();
        let mut items = Vec::new();
        for (index, row) in rows.into_iter().enumerate() {
            let (found, expected) = (row.as_ref().len(), categories.len());
            if found != expected {
                return Err(StudyError::Ragged { item: index, found, expected });
            }
            let counts = categories.iter().cloned().zip(row.as_ref().iter().copied());
            items.push((Item::from_counts(counts)?, 1));
        }
        Self::from_items(items, categories)
    }

    /// The categories that occur or were declared, sorted.
    pub fn categories(&self) -> &[C] {
        &self.categories
    }

    /// The items, each with the number of times it counts.
    pub fn items(&self) -> &[(Item<C>, u64)] {
        &self.items
    }

    /// What nominal measures of many raters read.
    pub fn nominal_tally(&self) -> NominalTally<C> {
        NominalTally::of(&self.items)
    }

    /// What Krippendorff's alpha and the weighted measures read.
    pub fn coincidences(&self) -> CoincidenceTally<C> {
        CoincidenceTally::of(&self.items)
    }
}

/// Every position of two raters is an item with two ratings.
impl<C: Ord + Clone> From<&Contingency<C>> for Counts<C> {
    fn from(table: &Contingency<C>) -> Self {
        let categories = table.categories().into_iter().cloned().collect();
        Self { categories, items: table.items() }
    }
}
