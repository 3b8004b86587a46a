//! The fast path for many raters: items or documents as integer tallies that are added up.

use std::collections::{BTreeMap, BTreeSet};

use crate::arithmetic::number::count64;
use crate::inference::{Bootstrap, Jackknife, Resampling};
use crate::tally::{Bucket, Cell};
use crate::{NominalTally, Ratings, Undefined};

/// The most units that are drawn for one resample.
const CAPACITY: usize = 1 << 26;

/// What many raters judged, in units that were drawn independently: items, or documents.
///
/// A resample adds the units' tallies as integers and measures once. For two raters,
/// [`PairUnits`](super::pair_units::PairUnits) is faster still.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NominalUnits<C> {
    /// Those that occur, sorted.
    categories: Vec<C>,
    /// The numbers of raters that items have, sorted.
    raters: Vec<u64>,
    /// Different units.
    kinds: Vec<Kind>,
    /// Which of them each unit is.
    units: Vec<usize>,
}

/// What a unit adds to a tally.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Kind {
    /// How many units are alike.
    units: u64,
    /// Items and unanimous items, by the index of their number of raters.
    items: Vec<(usize, u64, u64)>,
    /// At `raters * categories + category`, all by index.
    cells: Vec<(usize, Cell)>,
}

/// A tally as arrays.
struct Sums {
    items: Vec<(u64, u64)>,
    cells: Vec<Cell>,
}

impl<C: Ord + Clone> NominalUnits<C> {
    /// Every item that somebody rated is a unit, as often as it counts.
    ///
    /// # Undefined when
    /// There are more than 2^26 units ([`Undefined::TooManyPositions`]).
    pub fn items(study: &Ratings<C>) -> Result<Self, Undefined> {
        let counts = study.counts();
        let rated = counts.items().iter().filter(|(item, _)| item.ratings() > 0);
        let total = rated.clone().try_fold(0_u64, |sum, (_, times)| sum.checked_add(*times));
        if total.and_then(|total| usize::try_from(total).ok()).is_none_or(|n| n > CAPACITY) {
            return Err(Undefined::TooManyPositions);
        }
        let tallies: Vec<_> = rated
            .map(|(item, times)| {
                let mut tally = NominalTally::new();
                // One item of a study, which has checked that all can be counted.
                let room = tally.add(item);
                debug_assert_eq!(room, Ok(()));
                (tally, usize::try_from(*times).unwrap_or(0))
            })
            .collect();
        Ok(Self::of(tallies.iter().map(|(tally, times)| (tally, *times))))
    }

    /// Every document is a unit, given by its tally; empty ones are units too.
    ///
    /// # Undefined when
    /// There are more than 2^26 units ([`Undefined::TooManyPositions`]).
    pub fn documents<'a>(
        documents: impl IntoIterator<Item = &'a NominalTally<C>>,
    ) -> Result<Self, Undefined>
    where
        C: 'a,
    {
        let documents: Vec<_> = documents.into_iter().collect();
        let within = documents.len() <= CAPACITY;
        let once = || documents.iter().map(|tally| (*tally, 1));
        within.then(|| Self::of(once())).ok_or(Undefined::TooManyPositions)
    }

    /// Units that are alike, one after the other, as often as is said. All that are alike are of one kind,
    /// wherever they stand: of many documents a great part are.
    fn of<'a>(tallies: impl Iterator<Item = (&'a NominalTally<C>, usize)> + Clone) -> Self
    where
        C: 'a,
    {
        let (mut categories, mut raters) = (BTreeSet::new(), BTreeSet::new());
        for (number, bucket) in tallies.clone().flat_map(|(tally, _)| tally.buckets()) {
            raters.insert(number);
            for category in bucket.categories.keys() {
                if !categories.contains(category) {
                    categories.insert(category.clone());
                }
            }
        }
        let categories: Vec<C> = categories.into_iter().collect();
        let raters: Vec<u64> = raters.into_iter().collect();
        let mut kinds: Vec<Kind> = Vec::new();
        let mut places = BTreeMap::new();
        let mut units = Vec::new();
        for (tally, times) in tallies.filter(|(_, times)| *times > 0) {
            let kind = Kind::of(tally, count64(times), &categories, &raters);
            let place =
                *places.entry((kind.items.clone(), kind.cells.clone())).or_insert(kinds.len());
            match kinds.get_mut(place) {
                Some(same) => same.units += kind.units,
                None => kinds.push(kind),
            }
            units.extend(std::iter::repeat_n(place, times));
        }
        Self { categories, raters, kinds, units }
    }

    /// How many units there are.
    pub fn len(&self) -> usize {
        self.units.len()
    }

    /// Whether there is no unit.
    pub fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// Resamples the units; see [`bootstrap`](fn@crate::inference::bootstrap), which would be slower, and draws the same.
    ///
    /// # Undefined when
    /// [`bootstrap`](fn@crate::inference::bootstrap) is.
    ///
    /// # Example
    /// ```
    /// # use agreement::{Ratings, alpha_nominal};
    /// # use agreement::inference::{Level, NominalUnits, Resampling};
    /// let items = [
    ///     [1, 1, 1], [1, 2, 2], [2, 2, 2], [4, 4, 4], [1, 4, 4],
    ///     [2, 2, 2], [1, 2, 3], [3, 3, 3], [2, 2, 2],
    /// ];
    /// let study = Ratings::from_rows(items.map(|item| item.map(Some)))?;
    /// let bootstrap = NominalUnits::items(&study)?
    ///     .bootstrap(Resampling::default(), |tally| Ok(alpha_nominal(tally)?.value))?;
    /// assert!(bootstrap.percentile(Level::P95).contains(0.642));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bootstrap<'a>(
        &'a self,
        resampling: Resampling,
        statistic: impl Fn(&NominalTally<&'a C>) -> Result<f64, Undefined>,
    ) -> Result<Bootstrap, Undefined> {
        let value = self.value(&statistic)?;
        let units = count64(self.units.len());
        let mut times = vec![0_u64; self.kinds.len()];
        Bootstrap::draw(value, resampling, |random| {
            times.fill(0);
            for _ in 0..units {
                let unit = usize::try_from(random.below(units)).unwrap_or_default();
                if let Some(times) = self.units.get(unit).and_then(|&kind| times.get_mut(kind)) {
                    *times += 1;
                }
            }
            statistic(&self.tally(&self.sums(times.iter().copied())))
        })
    }

    /// Leaves out each unit in turn; see [`jackknife`](fn@crate::inference::jackknife), which would be slower.
    ///
    /// # Undefined when
    /// [`jackknife`](fn@crate::inference::jackknife) is.
    pub fn jackknife<'a>(
        &'a self,
        statistic: impl Fn(&NominalTally<&'a C>) -> Result<f64, Undefined>,
    ) -> Result<Jackknife, Undefined> {
        let value = self.value(&statistic)?;
        let mut sums = self.sums(self.kinds.iter().map(|kind| kind.units));
        let replicates = self.kinds.iter().map(|kind| {
            sums.subtract(kind);
            let replicate = statistic(&self.tally(&sums));
            sums.add(kind, 1);
            (replicate, kind.units)
        });
        Jackknife::new(value, replicates)
    }

    fn value<'a>(
        &'a self,
        statistic: impl Fn(&NominalTally<&'a C>) -> Result<f64, Undefined>,
    ) -> Result<f64, Undefined> {
        match self.units.len() {
            0 => Err(Undefined::NoSharedPositions),
            1 => Err(Undefined::TooFewUnits),
            _ => statistic(&self.tally(&self.sums(self.kinds.iter().map(|kind| kind.units)))),
        }
    }

    fn sums(&self, times: impl Iterator<Item = u64>) -> Sums {
        let cells = self.raters.len() * self.categories.len();
        let items = vec![(0, 0); self.raters.len()];
        let mut sums = Sums { items, cells: vec![Cell::default(); cells] };
        for (kind, times) in self.kinds.iter().zip(times).filter(|(_, times)| *times > 0) {
            sums.add(kind, times);
        }
        sums
    }

    fn tally(&self, sums: &Sums) -> NominalTally<&C> {
        let cells = sums.cells.chunks(self.categories.len().max(1));
        let buckets = self.raters.iter().zip(&sums.items).zip(cells);
        let bucket = |((&raters, &(items, unanimous)), cells): ((&u64, &(u64, u64)), &[Cell])| {
            let used = self.categories.iter().zip(cells).filter(|(_, cell)| cell.ratings > 0);
            let categories = used.map(|(category, cell)| (category, *cell)).collect();
            (raters, Bucket { items, unanimous, categories })
        };
        let buckets: BTreeMap<_, _> =
            buckets.map(bucket).filter(|(_, bucket)| bucket.items > 0).collect();
        NominalTally::from_buckets(buckets)
    }
}

impl Kind {
    fn of<C: Ord + Clone>(
        tally: &NominalTally<C>,
        units: u64,
        categories: &[C],
        raters: &[u64],
    ) -> Self {
        let mut kind = Self { units, items: Vec::new(), cells: Vec::new() };
        for (number, bucket) in tally.buckets() {
            let index = raters.partition_point(|&raters| raters < number);
            kind.items.push((index, bucket.items, bucket.unanimous));
            for (category, cell) in &bucket.categories {
                let place = categories.partition_point(|other| other < category);
                kind.cells.push((index * categories.len() + place, *cell));
            }
        }
        kind
    }
}

impl Sums {
    fn add(&mut self, kind: &Kind, times: u64) {
        for &(index, items, unanimous) in &kind.items {
            if let Some(sum) = self.items.get_mut(index) {
                *sum = (sum.0 + items * times, sum.1 + unanimous * times);
            }
        }
        for &(place, Cell { ratings, agreeing }) in &kind.cells {
            if let Some(sum) = self.cells.get_mut(place) {
                sum.ratings += ratings * times;
                sum.agreeing += agreeing * u128::from(times);
            }
        }
    }

    fn subtract(&mut self, kind: &Kind) {
        for &(index, items, unanimous) in &kind.items {
            if let Some(sum) = self.items.get_mut(index) {
                *sum = (sum.0 - items, sum.1 - unanimous);
            }
        }
        for &(place, Cell { ratings, agreeing }) in &kind.cells {
            if let Some(sum) = self.cells.get_mut(place) {
                sum.ratings -= ratings;
                sum.agreeing -= agreeing;
            }
        }
    }
}
