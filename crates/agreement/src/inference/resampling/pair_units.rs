//! The fast path for two raters: items or documents as integer tallies that are added up.

use std::collections::BTreeMap;

use crate::arithmetic::number::count64;
use crate::inference::resampling::bootstrap::draw_units;
use crate::inference::{Bootstrap, Jackknife, Resampling};
use crate::{Contingency, Undefined};

/// The most units that are drawn for one resample.
const CAPACITY: u64 = 1 << 26;

/// What two raters judged, in units that were drawn independently: items, or documents.
///
/// A resample adds the units' counts as integers and measures once, however many items a
/// document has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairUnits<C> {
    /// The pairs of judgements that occur, sorted.
    pairs: Vec<(C, C)>,
    units: Units,
    total: Vec<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Units {
    /// Items: each is one of the pairs, and `total` says how many are which.
    Items,
    /// Documents: which pairs each holds, and how often.
    Documents(Vec<Vec<(usize, u64)>>),
}

impl<C: Ord + Clone> PairUnits<C> {
    /// Every item of the table is a unit.
    pub fn items(table: &Contingency<C>) -> Self {
        let (pairs, total) = table
            .cells()
            .map(|(row, column, count)| ((row.clone(), column.clone()), count))
            .unzip();
        Self { pairs, units: Units::Items, total }
    }

    /// Every document is a unit, given by its table; empty ones are units too.
    ///
    /// # Panics
    /// If all documents together exceed [`Contingency::CAPACITY`].
    pub fn documents<'a>(documents: impl IntoIterator<Item = &'a Contingency<C>>) -> Self
    where
        C: 'a,
    {
        let documents: Vec<_> = documents.into_iter().collect();
        let mut all = Contingency::new();
        for document in &documents {
            all.merge(document);
        }
        let places: BTreeMap<(&C, &C), usize> =
            all.cells().zip(0..).map(|((row, column, _), place)| ((row, column), place)).collect();
        let units = documents
            .iter()
            .map(|document| {
                let place = |row, column| places.get(&(row, column)).copied();
                document
                    .cells()
                    .filter_map(|(row, column, count)| Some((place(row, column)?, count)))
                    .collect()
            })
            .collect();
        Self { units: Units::Documents(units), ..Self::items(&all) }
    }

    /// How many units there are.
    pub fn len(&self) -> u64 {
        match &self.units {
            Units::Items => self.total.iter().sum(),
            Units::Documents(documents) => count64(documents.len()),
        }
    }

    /// Whether there is no unit.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Resamples the units; see [`bootstrap`](fn@crate::inference::bootstrap), which would be much slower.
    ///
    /// # Undefined when
    /// [`bootstrap`](fn@crate::inference::bootstrap) is, or there are more than 2^26 units
    /// ([`Undefined::TooManyPositions`]).
    ///
    /// # Example
    /// ```
    /// # use agreement::{Contingency, cohen_kappa};
    /// # use agreement::inference::{Level, PairUnits, Resampling};
    /// let mut table = Contingency::new();
    /// for (row, column, count) in [("+", "+", 40), ("+", "-", 15), ("-", "+", 20), ("-", "-", 25)] {
    ///     table.add_count(row, column, count);
    /// }
    /// let units = PairUnits::items(&table);
    /// let bootstrap =
    ///     units.bootstrap(Resampling::default(), |table| Ok(cohen_kappa(table)?.value))?;
    /// // The formula says ±0.0961.
    /// assert!((bootstrap.standard_error() - 0.0961).abs() < 0.005);
    /// # Ok::<(), agreement::Undefined>(())
    /// ```
    pub fn bootstrap<'a>(
        &'a self,
        resampling: Resampling,
        statistic: impl Fn(&Contingency<&'a C>) -> Result<f64, Undefined>,
    ) -> Result<Bootstrap, Undefined> {
        let value = self.value(&statistic)?;
        let mut counts = vec![0; self.pairs.len()];
        match &self.units {
            Units::Items => {
                let pair_of_item = self.pair_of_item();
                let items = self.len();
                Bootstrap::draw(value, resampling, |random| {
                    counts.fill(0);
                    for _ in 0..items {
                        let item = usize::try_from(random.below(items)).unwrap_or_default();
                        let pair = pair_of_item.get(item).copied().unwrap_or_default();
                        add(&mut counts, pair, 1);
                    }
                    statistic(&self.table(&counts))
                })
            }
            Units::Documents(documents) => {
                let mut times = vec![0; documents.len()];
                Bootstrap::draw(value, resampling, |random| {
                    draw_units(random, &mut times);
                    counts.fill(0);
                    for (document, &times) in documents.iter().zip(&times) {
                        for &(pair, count) in document {
                            add(&mut counts, pair, count * u64::from(times));
                        }
                    }
                    statistic(&self.table(&counts))
                })
            }
        }
    }

    /// Leaves out each unit in turn; see [`jackknife`](fn@crate::inference::jackknife), which would be much slower.
    ///
    /// # Undefined when
    /// [`jackknife`](fn@crate::inference::jackknife) is, or there are more than 2^26 units
    /// ([`Undefined::TooManyPositions`]).
    pub fn jackknife<'a>(
        &'a self,
        statistic: impl Fn(&Contingency<&'a C>) -> Result<f64, Undefined>,
    ) -> Result<Jackknife, Undefined> {
        let value = self.value(&statistic)?;
        let without = |unit: &[(usize, u64)]| {
            let mut counts = self.total.clone();
            for &(pair, count) in unit {
                if let Some(total) = counts.get_mut(pair) {
                    *total -= count;
                }
            }
            statistic(&self.table(&counts))
        };
        match &self.units {
            // Items with the same pair of judgements leave the same behind.
            Units::Items => {
                let replicates = self
                    .total
                    .iter()
                    .enumerate()
                    .map(|(pair, &items)| (without(&[(pair, 1)]), items));
                Jackknife::new(value, replicates)
            }
            Units::Documents(documents) => {
                Jackknife::new(value, documents.iter().map(|document| (without(document), 1)))
            }
        }
    }

    fn value<'a>(
        &'a self,
        statistic: impl Fn(&Contingency<&'a C>) -> Result<f64, Undefined>,
    ) -> Result<f64, Undefined> {
        match self.len() {
            0 => Err(Undefined::NoSharedPositions),
            1 => Err(Undefined::TooFewUnits),
            2..=CAPACITY => statistic(&self.table(&self.total)),
            _ => Err(Undefined::TooManyPositions),
        }
    }

    fn table(&self, counts: &[u64]) -> Contingency<&C> {
        let mut table = Contingency::new();
        for ((row, column), &count) in self.pairs.iter().zip(counts) {
            table.add_count(row, column, count);
        }
        table
    }

    fn pair_of_item(&self) -> Vec<usize> {
        let repeated = |(pair, &items): (usize, &u64)| {
            std::iter::repeat_n(pair, usize::try_from(items).unwrap_or_default())
        };
        self.total.iter().enumerate().flat_map(repeated).collect()
    }
}

fn add(counts: &mut [u64], pair: usize, count: u64) {
    if let Some(total) = counts.get_mut(pair) {
        *total += count;
    }
}
