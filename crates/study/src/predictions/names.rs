//! The items, raters and categories of a study, by the names that predictions have for them.

use std::collections::HashMap;

use crate::Problem;
use crate::read::Study;

/// Where names stand in a study.
pub(super) struct Names<'a> {
    study: &'a Study,
    /// The place of an item; nothing if several are called so.
    items: HashMap<String, Option<usize>>,
    item_count: usize,
    raters: HashMap<&'a str, usize>,
    categories: HashMap<&'a str, usize>,
}

impl<'a> Names<'a> {
    /// Of a study of so many items.
    pub(super) fn of(study: &'a Study, item_count: usize) -> Self {
        let mut items = HashMap::with_capacity(item_count);
        for item in 0..item_count {
            items
                .entry(study.item_name(item))
                .and_modify(|place| *place = None)
                .or_insert(Some(item));
        }
        let places = |names: &'a [String]| names.iter().map(String::as_str).zip(0..).collect();
        let (raters, categories) = (&study.understood.raters, &study.understood.categories);
        Self { study, items, item_count, raters: places(raters), categories: places(categories) }
    }

    pub(super) fn item_count(&self) -> usize {
        self.item_count
    }

    pub(super) fn rater_count(&self) -> usize {
        self.study.understood.raters.len()
    }

    pub(super) fn category_count(&self) -> usize {
        self.study.understood.categories.len()
    }

    pub(super) fn item_name(&self, item: usize) -> String {
        self.study.item_name(item)
    }

    pub(super) fn rater_name(&self, rater: usize) -> String {
        self.study.understood.raters.get(rater).cloned().unwrap_or_default()
    }

    pub(super) fn category_name(&self, category: usize) -> String {
        self.study.understood.categories.get(category).cloned().unwrap_or_default()
    }

    /// The place of an item.
    pub(super) fn item(&self, name: &str) -> Result<usize, Problem> {
        match self.items.get(name) {
            Some(Some(item)) => Ok(*item),
            Some(None) => Err(Problem::SeveralItems(name.to_owned())),
            None => Err(Problem::NoSuchItem(name.to_owned())),
        }
    }

    /// The place of a rater.
    pub(super) fn rater(&self, name: &str) -> Result<usize, Problem> {
        let rater = self.raters.get(name).copied();
        rater.ok_or_else(|| Problem::NoSuchRater(name.to_owned()))
    }

    /// The place of a category; on a scale of numbers `1` and `1.0` are one.
    pub(super) fn category(&self, name: &str) -> Result<usize, Problem> {
        let of_number = || {
            let number = name.parse::<f64>().ok()?;
            let scores = self.study.scores.as_ref()?;
            scores.iter().position(|score| score.total_cmp(&(number + 0.0)).is_eq())
        };
        let category = self.categories.get(name).copied().or_else(of_number);
        category.ok_or_else(|| Problem::NoSuchCategory(name.to_owned()))
    }
}
