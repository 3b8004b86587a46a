//! What all raters judged, item by item, in the form that diagnostics are counted from.

use std::collections::BTreeMap;

/// The judgements of all raters, item by item; a judgement may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgements<'a, C> {
    /// Those that occur, sorted.
    categories: Vec<&'a C>,
    items: Vec<Vec<Option<usize>>>,
    raters: usize,
}

impl<'a, C: Ord> Judgements<'a, C> {
    /// Takes, per item, what each rater said, in the same order of raters every time.
    ///
    /// ```
    /// # use agreement::diagnostics::Judgements;
    /// let items = [[Some("a"), Some("b"), None], [Some("b"), Some("b"), Some("b")]];
    /// let judgements = Judgements::new(items.iter().map(|item| item.iter().map(Option::as_ref)));
    /// assert_eq!((judgements.items(), judgements.raters()), (2, 3));
    /// assert_eq!(judgements.categories(), [&"a", &"b"]);
    /// ```
    pub fn new(items: impl IntoIterator<Item = impl IntoIterator<Item = Option<&'a C>>>) -> Self {
        let items: Vec<Vec<Option<&C>>> =
            items.into_iter().map(|item| item.into_iter().collect()).collect();
        let mut codes: BTreeMap<&C, usize> =
            items.iter().flatten().flatten().map(|&category| (category, 0)).collect();
        for (next, code) in codes.values_mut().enumerate() {
            *code = next;
        }
        let raters = items.iter().map(Vec::len).max().unwrap_or(0);
        let code = |category: Option<&C>| category.and_then(|c| codes.get(c).copied());
        let items = items.iter().map(|item| item.iter().copied().map(code).collect()).collect();
        Self { categories: codes.into_keys().collect(), items, raters }
    }

    /// How many items there are.
    pub fn items(&self) -> usize {
        self.items.len()
    }

    /// How many raters there are.
    pub fn raters(&self) -> usize {
        self.raters
    }

    /// The categories that occur, sorted.
    pub fn categories(&self) -> &[&'a C] {
        &self.categories
    }

    /// The codes of each item's judgements, by rater.
    pub(crate) fn codes(&self) -> impl Iterator<Item = &[Option<usize>]> {
        self.items.iter().map(Vec::as_slice)
    }

    /// Per item, how many raters chose each category: sorted, without zeros.
    pub(crate) fn counts(&self) -> impl Iterator<Item = BTreeMap<usize, u64>> {
        self.codes().map(|item| {
            let mut counts = BTreeMap::new();
            for &code in item.iter().flatten() {
                *counts.entry(code).or_default() += 1;
            }
            counts
        })
    }
}
