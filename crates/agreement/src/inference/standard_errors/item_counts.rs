//! How many raters put each item into each category, equal items counted together.

use std::collections::BTreeMap;

/// Per item and category, how many raters chose it: all that measures of interchangeable raters
/// need.
///
/// Items without any rating are dropped. Items with the same counts are kept once, with their
/// number, so results cannot depend on the order of the items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ItemCounts {
    patterns: BTreeMap<Vec<(usize, u64)>, u64>,
    categories: usize,
}

impl ItemCounts {
    /// Counts ratings given item by item; `None` is a rating that is missing.
    ///
    /// ```
    /// # use agreement::inference::ItemCounts;
    /// let items = [[Some("a"), Some("b"), None], [Some("b"), Some("b"), Some("b")]];
    /// let counts = ItemCounts::from_ratings(items);
    /// assert_eq!((counts.items(), counts.categories()), (2, 2));
    /// ```
    pub fn from_ratings<C: Ord>(
        items: impl IntoIterator<Item = impl IntoIterator<Item = Option<C>>>,
    ) -> Self {
        let mut codes: BTreeMap<C, usize> = BTreeMap::new();
        let mut counts = Self::default();
        for item in items {
            let mut pattern: BTreeMap<usize, u64> = BTreeMap::new();
            for category in item.into_iter().flatten() {
                let next = codes.len();
                *pattern.entry(*codes.entry(category).or_insert(next)).or_default() += 1;
            }
            counts.add(pattern.into_iter().collect(), 1);
        }
        counts.categories = codes.len();
        counts
    }

    /// Takes counts given item by item, one number per category.
    ///
    /// The categories are those of the longest row, used or not.
    pub fn from_counts(items: impl IntoIterator<Item = impl IntoIterator<Item = u64>>) -> Self {
        let mut counts = Self::default();
        for item in items {
            counts.add_counts(item, 1);
        }
        counts
    }

    /// Adds so many more items with these counts, one number per category.
    pub fn add_counts(&mut self, item: impl IntoIterator<Item = u64>, times: u64) {
        let mut pattern = Vec::new();
        for (category, count) in item.into_iter().enumerate() {
            self.categories = self.categories.max(category + 1);
            if count > 0 {
                pattern.push((category, count));
            }
        }
        self.add(pattern, times);
    }

    /// Declares how many categories there are to choose from; never fewer than are used.
    #[must_use]
    pub fn with_categories(mut self, categories: usize) -> Self {
        self.categories = self.categories.max(categories);
        self
    }

    /// How many categories there are to choose from.
    pub fn categories(&self) -> usize {
        self.categories
    }

    /// How many items have at least one rating.
    pub fn items(&self) -> u64 {
        self.patterns.values().fold(0, |sum, &times| sum.saturating_add(times))
    }

    /// The different patterns of counts, each with the number of items that have it.
    pub(crate) fn patterns(&self) -> impl Iterator<Item = (&[(usize, u64)], u64)> {
        self.patterns.iter().map(|(pattern, &times)| (pattern.as_slice(), times))
    }

    fn add(&mut self, pattern: Vec<(usize, u64)>, times: u64) {
        if !pattern.is_empty() && times > 0 {
            let all = self.patterns.entry(pattern).or_default();
            *all = all.saturating_add(times);
        }
    }
}
