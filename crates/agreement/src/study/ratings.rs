//! A study of items and raters with missing values, as one column of small integers per rater.

use std::collections::BTreeMap;

use crate::study::cells::{Cell, Coded};
use crate::study::columns::Columns;
use crate::study::{CAPACITY, Counts, StudyError};
use crate::tally::dense;
use crate::{CoincidenceTally, Contingency, Item, NominalTally};

/// The code of a rating that is missing.
pub const MISSING: u32 = u32::MAX;

/// What each rater said about each item, or that they said nothing.
///
/// Categories are kept once, sorted; a rating is the index of its category. A rater's ratings lie
/// side by side, so that measures of pairs run over two contiguous columns: a byte per rating where
/// there are at most 254 categories.
///
/// # Example
/// ```
/// # use agreement::Ratings;
/// let study = Ratings::from_rows([
///     [Some("PER"), Some("PER"), None],
///     [Some("ORG"), Some("LOC"), Some("ORG")],
/// ])?;
/// assert_eq!((study.items(), study.raters()), (2, 3));
/// assert_eq!(study.categories(), ["LOC", "ORG", "PER"]);
/// assert_eq!(study.rating(1, 2), Some(&"ORG"));
/// assert_eq!(study.contingency(0, 1).agreements(), 1);
/// # Ok::<(), agreement::StudyError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ratings<C> {
    pub(super) categories: Vec<C>,
    /// At `rater * items + item`.
    pub(super) codes: Columns,
    /// How often each item counts; empty if each counts once.
    pub(super) times: Vec<u64>,
    pub(super) items: usize,
    pub(super) raters: usize,
}

impl<C: Ord + Clone> Ratings<C> {
    /// A study from rows, one per item, with one place per rater.
    pub fn from_rows<R: IntoIterator<Item = Option<C>>>(
        rows: impl IntoIterator<Item = R>,
    ) -> Result<Self, StudyError> {
        Self::from_patterns(rows.into_iter().map(|row| (row, 1)))
    }

    /// A study from rows that each stand for a number of items with these same ratings.
    pub fn from_patterns<R: IntoIterator<Item = Option<C>>>(
        patterns: impl IntoIterator<Item = (R, u64)>,
    ) -> Result<Self, StudyError> {
        let mut known: BTreeMap<C, u32> = BTreeMap::new();
        let mut by_item: Vec<u32> = Vec::new();
        let mut times: Vec<u64> = Vec::new();
        let mut raters = 0;
        for (item, (row, count)) in patterns.into_iter().enumerate() {
            let start = by_item.len();
            for rating in row {
                by_item.push(match rating {
                    Some(category) => code_of(&mut known, category)?,
                    None => MISSING,
                });
            }
            let found = by_item.len() - start;
            if item == 0 {
                raters = found;
            } else if found != raters {
                return Err(StudyError::Ragged { item, found, expected: raters });
            }
            times.push(count);
        }
        let items = times.len();
        if times.iter().all(|&count| count == 1) {
            times.clear();
        }
        Self::from_first_seen(known, &by_item, times, (items, raters))
    }

    /// A study from columns of codes, one per rater: `codes[rater * items + item]` is an index
    /// into the sorted `categories`, or [`MISSING`].
    pub fn from_codes(
        categories: Vec<C>,
        raters: usize,
        codes: Vec<u32>,
    ) -> Result<Self, StudyError> {
        if !categories.is_sorted_by(|a, b| a < b) {
            return Err(StudyError::UnsortedCategories);
        }
        let items = codes.len().checked_div(raters).unwrap_or(0);
        if items * raters != codes.len() {
            let found = codes.len() - items * raters;
            return Err(StudyError::Ragged { item: items, found, expected: raters });
        }
        check_room(items, raters, &[])?;
        let is_known = |code: u32| {
            code == MISSING || usize::try_from(code).is_ok_and(|code| code < categories.len())
        };
        if let Some(&code) = codes.iter().find(|&&code| !is_known(code)) {
            return Err(StudyError::NoSuchCategory { code });
        }
        let codes = Columns::pack(categories.len(), codes.into_iter());
        Ok(Self { categories, codes, times: Vec::new(), items, raters })
    }

    /// The same study with more categories to choose from than those that occur.
    ///
    /// Measures that expect chance to spread over all categories, such as [`bennett_s`], differ.
    ///
    /// [`bennett_s`]: crate::bennett_s
    #[must_use]
    pub fn declaring(self, categories: impl IntoIterator<Item = C>) -> Self {
        let mut all = self.categories.clone();
        all.extend(categories);
        all.sort_unstable();
        all.dedup();
        let moved = self.categories.iter().map(|c| index_in(&all, c)).collect::<Vec<_>>();
        let codes = (0..self.codes.len()).map(|place| look_up(&moved, self.codes.get(place)));
        let codes = Columns::pack(all.len(), codes);
        Self { categories: all, codes, ..self }
    }

    /// Turns rows of codes given out as categories were first seen into sorted columns.
    pub(super) fn from_first_seen(
        known: BTreeMap<C, u32>,
        by_item: &[u32],
        times: Vec<u64>,
        (items, raters): (usize, usize),
    ) -> Result<Self, StudyError> {
        check_room(items, raters, &times)?;
        let mut sorted = vec![MISSING; known.len()];
        for (rank, &seen) in (0_u32..).zip(known.values()) {
            if let Some(place) = usize::try_from(seen).ok().and_then(|seen| sorted.get_mut(seen)) {
                *place = rank;
            }
        }
        let columns =
            (0..raters).flat_map(|rater| by_item.iter().skip(rater).step_by(raters.max(1)));
        let codes = columns.map(|&code| look_up(&sorted, code));
        let codes = Columns::pack(known.len(), codes);
        Ok(Self { categories: known.into_keys().collect(), codes, times, items, raters })
    }

    /// How many items (or patterns of items) there are.
    pub fn items(&self) -> usize {
        self.items
    }

    /// How many raters there are.
    pub fn raters(&self) -> usize {
        self.raters
    }

    /// The categories that occur or were declared, sorted.
    pub fn categories(&self) -> &[C] {
        &self.categories
    }

    /// How often an item counts: 1, unless the study was made from patterns.
    pub fn times(&self, item: usize) -> u64 {
        if self.times.is_empty() { 1 } else { self.times.get(item).copied().unwrap_or(0) }
    }

    /// What a rater said about an item.
    pub fn rating(&self, item: usize, rater: usize) -> Option<&C> {
        self.category(self.code(item, rater))
    }

    /// A rater's codes, one per item: indices into [`Self::categories`], or [`MISSING`].
    ///
    /// Nothing for a rater that there is not.
    pub fn codes(&self, rater: usize) -> impl Iterator<Item = u32> {
        let items = if rater < self.raters { self.items } else { 0 };
        (0..items).map(move |item| self.code(item, rater))
    }

    /// What a rater said about each item.
    pub fn rater(&self, rater: usize) -> impl Iterator<Item = Option<&C>> {
        self.codes(rater).map(|code| self.category(code))
    }

    /// What each rater said about an item.
    pub fn item(&self, item: usize) -> impl Iterator<Item = Option<&C>> {
        (0..self.raters).map(move |rater| self.rating(item, rater))
    }

    /// What two raters said about each item that both rated, with how often the item counts.
    pub fn pair(&self, first: usize, second: usize) -> impl Iterator<Item = (&C, &C, u64)> {
        let pairs = self.rater(first).zip(self.rater(second)).enumerate();
        pairs.filter_map(|(item, (a, b))| Some((a?, b?, self.times(item))))
    }

    /// The contingency table of two raters, over the items that both rated.
    pub fn contingency(&self, first: usize, second: usize) -> Contingency<C> {
        self.table(self.coded().cells(first, second))
    }

    /// What remains if one forgets who rated what.
    pub fn counts(&self) -> Counts<C> {
        Counts::from(self)
    }

    /// What nominal measures of many raters read.
    pub fn nominal_tally(&self) -> NominalTally<C> {
        let sparse = || NominalTally::of(&self.coded_items());
        dense::nominal(self.coded())
            .unwrap_or_else(sparse)
            .relabelled(|&code| self.categories.get(code).cloned())
    }

    /// What Krippendorff's alpha and the weighted measures read.
    pub fn coincidences(&self) -> CoincidenceTally<C> {
        let sparse = || CoincidenceTally::of(&self.coded_items());
        dense::coincidences(self.coded())
            .unwrap_or_else(sparse)
            .relabelled(|&code| self.categories.get(code).cloned())
    }

    /// The table of cells that were counted by code.
    pub(crate) fn table(&self, cells: impl IntoIterator<Item = Cell>) -> Contingency<C> {
        let mut table = Contingency::new();
        for ((a, b), count) in cells {
            if let (Some(a), Some(b)) = (self.categories.get(a), self.categories.get(b)) {
                table.add_count(a.clone(), b.clone(), count);
            }
        }
        table
    }

    /// The codes without the names of the categories.
    pub(crate) fn coded(&self) -> Coded<'_> {
        Coded {
            columns: &self.codes,
            times: &self.times,
            categories: self.categories.len(),
            items: self.items,
            raters: self.raters,
        }
    }

    /// The items by code: small integers are counted more quickly than categories.
    fn coded_items(&self) -> Vec<(Item<usize>, u64)> {
        let items = (0..self.items).map(|item| {
            let codes = (0..self.raters).map(|rater| self.code(item, rater));
            let codes = codes.filter(|&code| code != MISSING);
            (codes.filter_map(|code| usize::try_from(code).ok()).collect(), self.times(item))
        });
        items.collect()
    }

    pub(super) fn code(&self, item: usize, rater: usize) -> u32 {
        if item < self.items && rater < self.raters {
            self.codes.get(rater * self.items + item)
        } else {
            MISSING
        }
    }

    pub(super) fn category(&self, code: u32) -> Option<&C> {
        self.categories.get(usize::try_from(code).ok()?)
    }
}

/// What remains of a study if one forgets who rated what.
impl<C: Ord + Clone> From<&Ratings<C>> for Counts<C> {
    fn from(study: &Ratings<C>) -> Self {
        let items = (0..study.items())
            .map(|item| (study.item(item).flatten().cloned().collect(), study.times(item)))
            .collect();
        Self { categories: study.categories().to_vec(), items }
    }
}

/// The code of a category, a new one if it was not seen before.
pub(super) fn code_of<C: Ord>(
    known: &mut BTreeMap<C, u32>,
    category: C,
) -> Result<u32, StudyError> {
    if let Some(&code) = known.get(&category) {
        return Ok(code);
    }
    let next = u32::try_from(known.len()).ok().filter(|&next| next < MISSING);
    let code = next.ok_or(StudyError::Full)?;
    known.insert(category, code);
    Ok(code)
}

/// Whether all ratings can be counted, items without ratings too.
pub(super) fn check_room(items: usize, raters: usize, times: &[u64]) -> Result<(), StudyError> {
    let items = if times.is_empty() {
        u64::try_from(items).ok()
    } else {
        times.iter().try_fold(0_u64, |sum, &count| sum.checked_add(count))
    };
    let raters = u64::try_from(raters.max(1)).ok();
    items
        .zip(raters)
        .and_then(|(items, raters)| items.checked_mul(raters))
        .filter(|&room| room <= CAPACITY)
        .map(|_| ())
        .ok_or(StudyError::Full)
}

fn index_in<C: Ord>(sorted: &[C], category: &C) -> u32 {
    let found = sorted.binary_search(category).ok();
    found.and_then(|index| u32::try_from(index).ok()).unwrap_or(MISSING)
}

/// What an old code has become; a missing rating stays missing.
pub(super) fn look_up(moved: &[u32], code: u32) -> u32 {
    usize::try_from(code).ok().and_then(|code| moved.get(code)).copied().unwrap_or(MISSING)
}
