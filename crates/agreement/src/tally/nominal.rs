//! What the nominal measures of many raters read: ratings and agreeing pairs per category.

use std::collections::BTreeMap;

use crate::study::CAPACITY;
use crate::tally::TallyError;
use crate::{Contingency, Item};

/// Ratings and agreeing pairs of ratings, per category and per number of raters of an item.
///
/// It is enough for Krippendorff's alpha (nominal), Fleiss' and Randolph's kappa, Gwet's AC1 and
/// percentages, for all categories and for each. Items without ratings leave no trace.
///
/// # Example
/// ```
/// # use agreement::{Item, NominalTally};
/// let mut live = NominalTally::new();
/// let before = Item::from_iter(["PER", "ORG"]);
/// live.add(&before)?;
/// live.replace(&before, &Item::from_iter(["PER", "PER"]))?;
///
/// let mut recount = NominalTally::new();
/// recount.add(&Item::from_iter(["PER", "PER"]))?;
/// assert_eq!(live, recount);
/// # Ok::<(), agreement::TallyError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NominalTally<C> {
    buckets: BTreeMap<u64, Bucket<C>>,
    ratings: u64,
}

/// What is counted of the items with the same number of raters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Bucket<C> {
    /// How many items there are.
    pub(crate) items: u64,
    /// On how many of them all raters said the same.
    pub(crate) unanimous: u64,
    /// What is counted of each category; none of them empty.
    pub(crate) categories: BTreeMap<C, Cell>,
}

/// What is counted of a category.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Cell {
    /// How often an item was put into it.
    pub(crate) ratings: u64,
    /// How often two raters agreed on that, both ways round: `Σ n (n − 1)`.
    pub(crate) agreeing: u128,
}

impl<C> Default for Bucket<C> {
    fn default() -> Self {
        Self { items: 0, unanimous: 0, categories: BTreeMap::new() }
    }
}

impl<C: Ord + Clone> NominalTally<C> {
    /// The most ratings that can be counted.
    pub const CAPACITY: u64 = CAPACITY;

    /// A tally that counts nothing.
    pub fn new() -> Self {
        Self { buckets: BTreeMap::new(), ratings: 0 }
    }

    /// The tally of items, each so many times, for which there is room.
    pub(crate) fn of<'a>(items: impl IntoIterator<Item = &'a (Item<C>, u64)>) -> Self
    where
        C: 'a,
    {
        let mut tally = Self::new();
        for (item, times) in items {
            tally.put(item, *times);
        }
        tally
    }

    /// The tally of counts that were made elsewhere, none of them empty.
    pub(crate) fn from_buckets(buckets: BTreeMap<u64, Bucket<C>>) -> Self {
        let ratings = buckets.iter().map(|(raters, bucket)| raters * bucket.items).sum();
        Self { buckets, ratings }
    }

    /// Counts an item.
    pub fn add(&mut self, item: &Item<C>) -> Result<(), TallyError> {
        self.add_times(item, 1)
    }

    /// Counts several items with the same ratings.
    pub fn add_times(&mut self, item: &Item<C>, times: u64) -> Result<(), TallyError> {
        let more = item.ratings().checked_mul(times).ok_or(TallyError::Full)?;
        if more > CAPACITY.saturating_sub(self.ratings) {
            return Err(TallyError::Full);
        }
        self.put(item, times);
        Ok(())
    }

    /// Takes an item away again.
    pub fn remove(&mut self, item: &Item<C>) -> Result<(), TallyError> {
        if item.ratings() == 0 {
            return Ok(());
        }
        let raters = item.ratings();
        let cells: BTreeMap<&C, Cell> =
            item.counts().map(|(category, count)| (category, Cell::of(count, 1))).collect();
        let unanimous = u64::from(is_unanimous(item));
        let bucket = self.buckets.get(&raters).ok_or(TallyError::NotCounted)?;
        if !bucket.can_spare(raters, 1, unanimous, cells.iter().map(|(&c, &cell)| (c, cell))) {
            return Err(TallyError::NotCounted);
        }
        self.ratings -= raters;
        self.shrink(raters, 1, unanimous, cells.into_iter());
        Ok(())
    }

    /// Counts an item with what its ratings are now in place of what they were before.
    pub fn replace(&mut self, before: &Item<C>, after: &Item<C>) -> Result<(), TallyError> {
        self.remove(before)?;
        self.add(after).inspect_err(|_| self.put(before, 1))
    }

    /// Adds all that another tally counts.
    pub fn merge(&mut self, other: &Self) -> Result<(), TallyError> {
        if other.ratings > CAPACITY.saturating_sub(self.ratings) {
            return Err(TallyError::Full);
        }
        self.ratings += other.ratings;
        for (&raters, theirs) in &other.buckets {
            let bucket = self.buckets.entry(raters).or_default();
            bucket.items += theirs.items;
            bucket.unanimous += theirs.unanimous;
            for (category, more) in &theirs.categories {
                bucket.categories.entry(category.clone()).or_default().grow(*more);
            }
        }
        Ok(())
    }

    /// Takes away all that another tally counts, or nothing if a part of it is not there.
    pub fn subtract(&mut self, other: &Self) -> Result<(), TallyError> {
        let spared = |raters: u64, theirs: &Bucket<C>| {
            self.buckets.get(&raters).is_some_and(|bucket| {
                bucket.can_spare(raters, theirs.items, theirs.unanimous, theirs.cells())
            })
        };
        if !other.buckets().all(|(raters, theirs)| spared(raters, theirs)) {
            return Err(TallyError::NotCounted);
        }
        self.ratings -= other.ratings;
        for (raters, theirs) in other.buckets() {
            self.shrink(raters, theirs.items, theirs.unanimous, theirs.cells());
        }
        Ok(())
    }

    /// How many ratings are counted.
    pub fn ratings(&self) -> u64 {
        self.ratings
    }

    /// How many items are counted that at least one rater rated.
    pub fn items(&self) -> u64 {
        self.buckets.values().map(|bucket| bucket.items).sum()
    }

    /// The categories that occur, sorted.
    pub fn categories(&self) -> Vec<&C> {
        labels(self.buckets()).into_keys().collect()
    }

    /// The labels of each category on items that at least two raters rated; sorted.
    pub fn pairable(&self) -> BTreeMap<&C, u64> {
        labels(self.pairable_buckets())
    }

    /// The items by their number of raters, from 1 up.
    pub(crate) fn buckets(&self) -> impl Iterator<Item = (u64, &Bucket<C>)> {
        self.buckets.iter().map(|(&raters, bucket)| (raters, bucket))
    }

    /// The items that at least two raters rated, by their number of raters.
    pub(crate) fn pairable_buckets(&self) -> impl Iterator<Item = (u64, &Bucket<C>)> {
        self.buckets().filter(|&(raters, _)| raters > 1)
    }

    /// The same tally with other names for the categories, sorted alike.
    pub(crate) fn relabelled<D: Ord + Clone>(
        &self,
        name: impl Fn(&C) -> Option<D>,
    ) -> NominalTally<D> {
        let renamed = |bucket: &Bucket<C>| {
            let cells = bucket.categories.iter();
            let categories = cells.filter_map(|(c, &cell)| Some((name(c)?, cell))).collect();
            Bucket { items: bucket.items, unanimous: bucket.unanimous, categories }
        };
        let buckets = self.buckets.iter().map(|(&raters, b)| (raters, renamed(b))).collect();
        NominalTally { buckets, ratings: self.ratings }
    }

    /// Counts items for which there is room.
    pub(super) fn put(&mut self, item: &Item<C>, times: u64) {
        if item.ratings() == 0 || times == 0 {
            return;
        }
        self.ratings += item.ratings() * times;
        let bucket = self.buckets.entry(item.ratings()).or_default();
        bucket.items += times;
        bucket.unanimous += times * u64::from(is_unanimous(item));
        for (category, count) in item.counts() {
            let more = Cell::of(count, times);
            match bucket.categories.get_mut(category) {
                Some(cell) => cell.grow(more),
                None => {
                    bucket.categories.insert(category.clone(), more);
                }
            }
        }
    }

    /// Takes away what a bucket can spare, and the entries that are then empty.
    fn shrink<'a>(
        &mut self,
        raters: u64,
        items: u64,
        unanimous: u64,
        cells: impl Iterator<Item = (&'a C, Cell)>,
    ) where
        C: 'a,
    {
        let Some(bucket) = self.buckets.get_mut(&raters) else { return };
        bucket.items -= items;
        bucket.unanimous -= unanimous;
        for (category, less) in cells {
            if let Some(cell) = bucket.categories.get_mut(category) {
                cell.ratings -= less.ratings;
                cell.agreeing -= less.agreeing;
                if *cell == Cell::default() {
                    bucket.categories.remove(category);
                }
            }
        }
        if bucket.items == 0 {
            self.buckets.remove(&raters);
        }
    }
}

impl<C: Ord> Bucket<C> {
    fn cells(&self) -> impl Iterator<Item = (&C, Cell)> {
        self.categories.iter().map(|(category, &cell)| (category, cell))
    }

    /// Whether all this is counted, and what would be left could have been counted as well.
    fn can_spare<'a>(
        &self,
        raters: u64,
        items: u64,
        unanimous: u64,
        mut cells: impl Iterator<Item = (&'a C, Cell)>,
    ) -> bool
    where
        C: 'a,
    {
        let left = self.items.checked_sub(items).zip(self.unanimous.checked_sub(unanimous));
        left.is_some_and(|(items, unanimous)| unanimous <= items)
            && cells.all(|(category, less)| {
                let cell = self.categories.get(category);
                cell.and_then(|cell| cell.minus(less)).is_some_and(|left| {
                    left.agreeing <= u128::from(left.ratings) * u128::from(raters - 1)
                })
            })
    }
}

impl Cell {
    pub(super) fn of(count: u64, times: u64) -> Self {
        // At most CAPACITY squared: count and times together are no more than it.
        let pairs = u128::from(count) * u128::from(count.saturating_sub(1));
        Self { ratings: count * times, agreeing: pairs * u128::from(times) }
    }

    fn minus(self, less: Self) -> Option<Self> {
        let ratings = self.ratings.checked_sub(less.ratings)?;
        Some(Self { ratings, agreeing: self.agreeing.checked_sub(less.agreeing)? })
    }

    pub(super) fn grow(&mut self, more: Self) {
        self.ratings += more.ratings;
        self.agreeing += more.agreeing;
    }
}

/// How often each category was given in some of the buckets.
fn labels<'a, C: Ord>(buckets: impl Iterator<Item = (u64, &'a Bucket<C>)>) -> BTreeMap<&'a C, u64> {
    let mut labels = BTreeMap::new();
    for (_, bucket) in buckets {
        for (category, cell) in &bucket.categories {
            *labels.entry(category).or_default() += cell.ratings;
        }
    }
    labels
}

fn is_unanimous<C: Ord>(item: &Item<C>) -> bool {
    item.counts().nth(1).is_none()
}

impl<C: Ord + Clone> Default for NominalTally<C> {
    fn default() -> Self {
        Self::new()
    }
}

/// Every position of two raters is an item with two ratings.
impl<C: Ord + Clone> From<&Contingency<C>> for NominalTally<C> {
    fn from(table: &Contingency<C>) -> Self {
        Self::of(&table.items())
    }
}
