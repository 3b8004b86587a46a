//! What graded measures of many raters read: every pair of categories that met on an item.

use std::collections::BTreeMap;

use crate::tally::{NominalTally, TallyError};
use crate::{Contingency, Item};

/// How often two categories met on an item, per number of raters of the item, beside what
/// [`NominalTally`] counts.
///
/// From it come Krippendorff's alpha with any distance and Gwet's weighted coefficients. Its size
/// follows the pairs of categories that occur together.
///
/// # Example
/// One rater of three changes her mind:
/// ```
/// # use agreement::{CoincidenceTally, Interval, Item, krippendorff_alpha};
/// let mut live = CoincidenceTally::new();
/// live.add(&Item::from_iter([1, 1, 2]))?;
/// live.add(&Item::from_iter([4, 4]))?;
/// live.replace(&Item::from_iter([1, 1, 2]), &Item::from_iter([1, 1, 1]))?;
/// assert_eq!(krippendorff_alpha(&live, &Interval)?.value, 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoincidenceTally<C> {
    nominal: NominalTally<C>,
    unlike: BTreeMap<u64, Unlike<C>>,
}

/// `Σ n_c n_k` for every two different categories, the smaller first; none of them 0.
type Unlike<C> = BTreeMap<C, BTreeMap<C, u128>>;

impl<C: Ord + Clone> CoincidenceTally<C> {
    /// The most ratings that can be counted.
    pub const CAPACITY: u64 = NominalTally::<C>::CAPACITY;

    /// A tally that counts nothing.
    pub fn new() -> Self {
        Self { nominal: NominalTally::new(), unlike: BTreeMap::new() }
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

    /// The tally of counts that were made elsewhere: the smaller of two categories first.
    pub(super) fn from_cells(
        nominal: NominalTally<C>,
        unlike: impl Iterator<Item = (u64, C, C, u128)>,
    ) -> Self {
        let mut tally = Self { nominal, unlike: BTreeMap::new() };
        for (raters, a, b, pairs) in unlike {
            tally.grow(raters, &a, &b, pairs);
        }
        tally
    }

    /// Counts an item.
    pub fn add(&mut self, item: &Item<C>) -> Result<(), TallyError> {
        self.add_times(item, 1)
    }

    /// Counts several items with the same ratings.
    pub fn add_times(&mut self, item: &Item<C>, times: u64) -> Result<(), TallyError> {
        self.nominal.add_times(item, times)?;
        self.put_unlike(item, times);
        Ok(())
    }

    /// Takes an item away again.
    pub fn remove(&mut self, item: &Item<C>) -> Result<(), TallyError> {
        let raters = item.ratings();
        if item.unlike_pairs().any(|(a, b, less)| self.unlike(raters, a, b) < less) {
            return Err(TallyError::NotCounted);
        }
        self.nominal.remove(item)?;
        self.shrink(raters, item.unlike_pairs());
        Ok(())
    }

    /// Counts an item with what its ratings are now in place of what they were before.
    pub fn replace(&mut self, before: &Item<C>, after: &Item<C>) -> Result<(), TallyError> {
        self.remove(before)?;
        self.add(after).inspect_err(|_| self.put(before, 1))
    }

    /// Adds all that another tally counts.
    pub fn merge(&mut self, other: &Self) -> Result<(), TallyError> {
        self.nominal.merge(&other.nominal)?;
        for (raters, a, b, more) in other.unlike_cells() {
            self.grow(raters, a, b, more);
        }
        Ok(())
    }

    /// Takes away all that another tally counts, or nothing if a part of it is not there.
    pub fn subtract(&mut self, other: &Self) -> Result<(), TallyError> {
        if other.unlike_cells().any(|(raters, a, b, less)| self.unlike(raters, a, b) < less) {
            return Err(TallyError::NotCounted);
        }
        self.nominal.subtract(&other.nominal)?;
        for (raters, a, b, less) in other.unlike_cells() {
            self.shrink(raters, std::iter::once((a, b, less)));
        }
        Ok(())
    }

    /// The part that the nominal measures read.
    pub fn nominal(&self) -> &NominalTally<C> {
        &self.nominal
    }

    /// Krippendorff's coincidences of two categories.
    ///
    /// ```text
    /// o(c, k) = Σ n_ic (n_ik − [c = k]) / (m_i − 1)     over the items i with m_i > 1 ratings
    /// ```
    pub fn coincidences(&self, c: &C, k: &C) -> f64 {
        let (a, b) = if c < k { (c, k) } else { (k, c) };
        let counted = self.nominal.pairable_buckets().map(|(raters, bucket)| {
            let pairs = if c == k {
                bucket.categories.get(c).map_or(0, |cell| cell.agreeing)
            } else {
                self.unlike(raters, a, b)
            };
            (raters, pairs)
        });
        crate::measures::sums::per_partner(counted).value()
    }

    /// How often two different categories met, the smaller first, by the number of raters of the
    /// item.
    pub(crate) fn unlike_cells(&self) -> impl Iterator<Item = (u64, &C, &C, u128)> {
        self.unlike.iter().flat_map(|(&raters, rows)| {
            rows.iter()
                .flat_map(move |(a, row)| row.iter().map(move |(b, &pairs)| (raters, a, b, pairs)))
        })
    }

    /// The same tally with other names for the categories, sorted alike.
    pub(crate) fn relabelled<D: Ord + Clone>(
        &self,
        name: impl Fn(&C) -> Option<D>,
    ) -> CoincidenceTally<D> {
        let mut renamed =
            CoincidenceTally { nominal: self.nominal.relabelled(&name), unlike: BTreeMap::new() };
        for (raters, a, b, pairs) in self.unlike_cells() {
            if let (Some(a), Some(b)) = (name(a), name(b)) {
                renamed.grow(raters, &a, &b, pairs);
            }
        }
        renamed
    }

    fn unlike(&self, raters: u64, a: &C, b: &C) -> u128 {
        let row = self.unlike.get(&raters).and_then(|rows| rows.get(a));
        row.and_then(|row| row.get(b)).copied().unwrap_or(0)
    }

    fn put(&mut self, item: &Item<C>, times: u64) {
        self.nominal.put(item, times);
        self.put_unlike(item, times);
    }

    fn put_unlike(&mut self, item: &Item<C>, times: u64) {
        if times > 0 {
            for (a, b, pairs) in item.unlike_pairs() {
                self.grow(item.ratings(), a, b, pairs * u128::from(times));
            }
        }
    }

    fn grow(&mut self, raters: u64, a: &C, b: &C, more: u128) {
        let rows = self.unlike.entry(raters).or_default();
        if let Some(cell) = rows.get_mut(a).and_then(|row| row.get_mut(b)) {
            *cell += more;
        } else {
            rows.entry(a.clone()).or_default().insert(b.clone(), more);
        }
    }

    /// Takes away what is known to be counted, and the entries that are then empty.
    fn shrink<'a>(&mut self, raters: u64, cells: impl Iterator<Item = (&'a C, &'a C, u128)>)
    where
        C: 'a,
    {
        let Some(rows) = self.unlike.get_mut(&raters) else { return };
        for (a, b, less) in cells {
            let Some(row) = rows.get_mut(a) else { continue };
            let Some(cell) = row.get_mut(b) else { continue };
            *cell -= less;
            if *cell == 0 {
                row.remove(b);
            }
            if row.is_empty() {
                rows.remove(a);
            }
        }
        if rows.is_empty() {
            self.unlike.remove(&raters);
        }
    }
}

impl<C: Ord + Clone> Default for CoincidenceTally<C> {
    fn default() -> Self {
        Self::new()
    }
}

/// Every position of two raters is an item with two ratings.
impl<C: Ord + Clone> From<&Contingency<C>> for CoincidenceTally<C> {
    fn from(table: &Contingency<C>) -> Self {
        Self::of(&table.items())
    }
}
