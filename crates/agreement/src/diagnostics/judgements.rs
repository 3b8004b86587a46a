//! What all raters judged, item by item, in the form that diagnostics are counted from.

use std::collections::BTreeMap;

use crate::Contingency;
use crate::arithmetic::number::sum;
use crate::arithmetic::ratio::ratio;
use crate::diagnostics::Matrix;

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

    /// The table of two raters, on the items that both judged.
    pub fn contingency(&self, first: usize, second: usize) -> Contingency<&'a C> {
        let category = |item: &[Option<usize>], rater: usize| {
            let code = item.get(rater).copied().flatten()?;
            self.categories.get(code).copied()
        };
        self.codes().filter_map(|item| category(item, first).zip(category(item, second))).collect()
    }

    /// The reliability matrix: a row per rater, a column per item, both counted from 1.
    pub fn reliability_matrix(&self) -> Matrix<usize, usize, Option<&'a C>> {
        let judgement = |item: &Vec<Option<usize>>, rater: usize| {
            let code = item.get(rater).copied().flatten()?;
            self.categories.get(code).copied()
        };
        Matrix {
            rows: (1..=self.raters).collect(),
            columns: (1..=self.items.len()).collect(),
            cells: (0..self.raters)
                .map(|rater| self.items.iter().map(|item| judgement(item, rater)).collect())
                .collect(),
        }
    }

    /// The coincidence matrix: all pairs of judgements of an item by different raters, each item
    /// weighing as much as it has judgements.
    ///
    /// # Formula
    /// With `n_ic` raters of item `i` choosing category `c`, and `r_i ≥ 2` judgements of it:
    /// ```text
    /// o_ck = Σ_i n_ic (n_ik − [c = k]) / (r_i − 1)
    /// ```
    ///
    /// # Reference
    /// Krippendorff, K. (2004). *Content Analysis*, 2nd edition, 219–221.
    ///
    /// # Example
    /// ```
    /// # use agreement::diagnostics::Judgements;
    /// let items = [[Some(1), Some(1)], [Some(1), Some(2)], [Some(2), None]];
    /// let judgements = Judgements::new(items.iter().map(|item| item.iter().map(Option::as_ref)));
    /// assert_eq!(judgements.coincidence_matrix().cells, [[2.0, 1.0], [1.0, 0.0]]);
    /// ```
    pub fn coincidence_matrix(&self) -> Matrix<&'a C, &'a C, f64> {
        // Pairs are counted as integers, apart for each number of judgements.
        let mut pairs: BTreeMap<(usize, usize), BTreeMap<u64, u64>> = BTreeMap::new();
        for counts in self.counts() {
            let judgements: u64 = counts.values().sum();
            for (&c, &of_c) in &counts {
                for (&k, &of_k) in &counts {
                    let others = of_k - u64::from(c == k);
                    *pairs.entry((c, k)).or_default().entry(judgements).or_default() +=
                        of_c * others;
                }
            }
        }
        let codes: Vec<usize> = (0..self.categories.len()).collect();
        let cells = Matrix::square(&codes, |&c, &k| {
            let by_judgements = pairs.get(&(c, k)).into_iter().flatten();
            sum(by_judgements
                .filter(|&(&judgements, _)| judgements > 1)
                .map(|(&judgements, &pairs)| ratio(pairs.into(), i128::from(judgements) - 1)))
        })
        .cells;
        Matrix { rows: self.categories.clone(), columns: self.categories.clone(), cells }
    }
}
