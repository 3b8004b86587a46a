//! How often an item was put in each category, whoever did it.

use std::collections::BTreeMap;

use super::{CAPACITY, StudyError};

/// How many raters put one item in each category; sparse and sorted.
///
/// ```
/// # use agreement::Item;
/// let item = Item::from_iter(["PER", "ORG", "PER"]);
/// assert_eq!(item.counts().collect::<Vec<_>>(), [(&"ORG", 1), (&"PER", 2)]);
/// assert_eq!(item.ratings(), 3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item<C> {
    counts: BTreeMap<C, u64>,
    ratings: u64,
}

impl<C: Ord> Item<C> {
    /// An item from counts of raters per category; a category may come more than once.
    pub fn from_counts(counts: impl IntoIterator<Item = (C, u64)>) -> Result<Self, StudyError> {
        let mut item = Self { counts: BTreeMap::new(), ratings: 0 };
        for (category, count) in counts {
            if count > CAPACITY - item.ratings {
                return Err(StudyError::Full);
            }
            if count > 0 {
                item.ratings += count;
                *item.counts.entry(category).or_default() += count;
            }
        }
        Ok(item)
    }

    /// How many raters rated the item.
    pub fn ratings(&self) -> u64 {
        self.ratings
    }

    /// How many of them put it in this category.
    pub fn count(&self, category: &C) -> u64 {
        self.counts.get(category).copied().unwrap_or(0)
    }

    /// The categories it was put in, with the number of raters; sorted, none of them 0.
    pub fn counts(&self) -> impl Iterator<Item = (&C, u64)> {
        self.counts.iter().map(|(category, &count)| (category, count))
    }

    /// Every two different categories it was put in, the smaller first, with the numbers of raters.
    pub(crate) fn unlike_pairs(&self) -> impl Iterator<Item = (&C, &C, u128)> {
        self.counts.iter().enumerate().flat_map(|(index, (first, &count))| {
            self.counts.iter().skip(index + 1).map(move |(second, &other_count)| {
                (first, second, u128::from(count) * u128::from(other_count))
            })
        })
    }
}

/// One rating per element.
impl<C: Ord> FromIterator<C> for Item<C> {
    fn from_iter<I: IntoIterator<Item = C>>(ratings: I) -> Self {
        let mut item = Self { counts: BTreeMap::new(), ratings: 0 };
        for category in ratings {
            item.ratings += 1;
            *item.counts.entry(category).or_default() += 1;
        }
        item
    }
}
