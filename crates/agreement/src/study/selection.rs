//! Parts of a study: some of its raters, some of its items.

use super::columns::Columns;
use super::ratings::check_room;
use super::{Ratings, StudyError};

impl<C: Ord + Clone> Ratings<C> {
    /// The study of these raters only, in this order; those that there are not are left out.
    ///
    /// All categories stay declared, so that measures of parts can be compared.
    #[must_use]
    pub fn with_raters(&self, raters: &[usize]) -> Self {
        let raters: Vec<usize> = raters.iter().copied().filter(|&r| r < self.raters()).collect();
        let codes = raters.iter().flat_map(|&rater| self.codes(rater));
        Self {
            codes: Columns::pack(self.categories.len(), codes),
            categories: self.categories.clone(),
            times: self.times.clone(),
            items: self.items,
            raters: raters.len(),
        }
    }

    /// The study of these items only, in this order; an item may come more than once, as in a
    /// bootstrap sample.
    pub fn with_items(&self, items: &[usize]) -> Result<Self, StudyError> {
        let items: Vec<usize> = items.iter().copied().filter(|&i| i < self.items()).collect();
        let codes = (0..self.raters)
            .flat_map(|rater| items.iter().map(move |&item| self.code(item, rater)));
        let codes = Columns::pack(self.categories.len(), codes);
        let times = if self.times.is_empty() {
            Vec::new()
        } else {
            items.iter().map(|&item| self.times(item)).collect()
        };
        check_room(items.len(), self.raters, &times)?;
        Ok(Self {
            categories: self.categories.clone(),
            codes,
            times,
            items: items.len(),
            raters: self.raters,
        })
    }
}
