//! Units that are resampled for graded measures, with what these read of each as numbers.

use std::collections::{BTreeMap, BTreeSet};

use crate::arithmetic::number::float;
use crate::arithmetic::ratio::ratio;
use crate::measures::of_many::percent::{agreeing_pairs, pairable_items};
use crate::{CoincidenceTally, Distance, Undefined, Weights};

/// Units, such as documents, with what a graded measure reads of them, so that the measure of a resample takes a
/// pass over numbers and no tally made anew.
///
/// [`krippendorff_alpha`](crate::krippendorff_alpha) of a distance or of an order, and
/// [`gwet_ac2`](crate::gwet_ac2), each of the tallies of all units together, an item of a unit that was drawn
/// twice counted twice; in double precision.
///
/// # Example
/// ```
/// # use agreement::{CoincidenceTally, Interval, Item, krippendorff_alpha};
/// # use agreement::inference::{GradedUnits, Resampling, bootstrap};
/// let documents = [[1, 1], [2, 4], [5, 5], [3, 2]].map(|ratings| {
///     let mut tally = CoincidenceTally::new();
///     tally.add(&Item::from_iter(ratings)).map(|()| tally)
/// });
/// let documents = documents.into_iter().collect::<Result<Vec<_>, _>>()?;
/// let units = GradedUnits::of_distance(&documents, &Interval)?;
/// let bootstrap = bootstrap(units.len(), Resampling::default(), |times| units.value(times))?;
/// let all = documents.iter().try_fold(CoincidenceTally::new(), |mut all, one| {
///     all.merge(one).map(|()| all)
/// })?;
/// assert!((bootstrap.value() - krippendorff_alpha(&all, &Interval)?.value).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GradedUnits {
    units: Vec<Unit>,
    categories: usize,
    reading: Reading,
}

/// What is read of a unit.
#[derive(Clone, Debug, Default)]
struct Unit {
    /// What its pairs of ratings come to: disagreement, or of AC2 agreement. Of an order it depends on the resample.
    observed: f64,
    /// Two different categories, and how often they met.
    unlike: Vec<(usize, usize, f64)>,
    /// How often each category was given; of AC2 as a share of each item.
    given: Vec<(usize, f64)>,
    /// Items with two ratings, and all items.
    items: (f64, f64),
}

#[derive(Clone, Debug)]
enum Reading {
    /// Alpha of categories at these places of a line, by squared differences.
    Line(Vec<f64>),
    /// Alpha of the distances of each two categories, a row for each.
    Distances(Vec<f64>),
    /// Alpha of an order: categories stand at the middle ranks of what was given.
    Order,
    /// AC2, with `T / q (q − 1)`.
    Weights(f64),
}

impl GradedUnits {
    /// Alpha with a distance.
    ///
    /// # Undefined when
    /// Two categories have no distance ([`Undefined::NoDistance`]).
    pub fn of_distance<C: Ord + Clone>(
        units: &[CoincidenceTally<C>],
        distance: &impl Distance<C>,
    ) -> Result<Self, Undefined> {
        let codes = codes(units);
        let categories = codes.len();
        let line: Option<Vec<f64>> = codes.keys().map(|it| distance.coordinate(it)).collect();
        let (reading, is_finite) = if let Some(line) = line {
            let is_finite = line.iter().all(|place| place.is_finite());
            (Reading::Line(line), is_finite)
        } else {
            let each = codes.keys().flat_map(|a| codes.keys().map(move |b| (a, b)));
            let apart = |(a, b): (&&C, &&C)| if a == b { 0.0 } else { distance.between(a, b) };
            let distances: Vec<f64> = each.map(apart).collect();
            let is_finite = distances.iter().all(|distance| distance.is_finite());
            (Reading::Distances(distances), is_finite)
        };
        if !is_finite {
            return Err(Undefined::NoDistance);
        }
        let unit = |tally: &CoincidenceTally<C>| {
            let unlike = tally.unlike_cells().map(|(raters, a, b, pairs)| {
                distance.between(a, b) * ratio(signed(2 * pairs), i128::from(raters) - 1)
            });
            Unit { observed: unlike.sum(), given: given(tally, &codes), ..Unit::default() }
        };
        Ok(Self { units: units.iter().map(unit).collect(), categories, reading })
    }

    /// Alpha of categories in their order.
    pub fn of_order<C: Ord + Clone>(units: &[CoincidenceTally<C>]) -> Self {
        let codes = codes(units);
        let unit = |tally: &CoincidenceTally<C>| {
            let unlike = tally.unlike_cells().filter_map(|(raters, a, b, pairs)| {
                let met = ratio(signed(2 * pairs), i128::from(raters) - 1);
                Some((*codes.get(a)?, *codes.get(b)?, met))
            });
            Unit { unlike: unlike.collect(), given: given(tally, &codes), ..Unit::default() }
        };
        let units = units.iter().map(unit).collect();
        Self { units, categories: codes.len(), reading: Reading::Order }
    }

    /// AC2.
    ///
    /// # Undefined when
    /// A category has no weights ([`Undefined::UndeclaredCategory`]).
    pub fn of_weights<C: Ord + Clone>(
        units: &[CoincidenceTally<C>],
        weights: &Weights<C>,
    ) -> Result<Self, Undefined> {
        let codes = codes(units);
        if codes.keys().any(|category| weights.between(category, category).is_none()) {
            return Err(Undefined::UndeclaredCategory);
        }
        let unit = |tally: &CoincidenceTally<C>| {
            let nominal = tally.nominal();
            let of_pairs = |raters: u64| i128::from(raters) * (i128::from(raters) - 1);
            let alike = agreeing_pairs(nominal)
                .map(|(raters, pairs)| ratio(signed(pairs), of_pairs(raters)));
            let unlike = tally.unlike_cells().map(|(raters, a, b, pairs)| {
                weights.between(a, b).unwrap_or(0.0) * ratio(signed(2 * pairs), of_pairs(raters))
            });
            let shares = nominal.buckets().flat_map(|(raters, bucket)| {
                let share = move |ratings: u64| ratio(ratings.into(), raters.into());
                bucket.categories.iter().map(move |(it, cell)| (it, share(cell.ratings)))
            });
            let shares = shares.filter_map(|(it, share)| Some((*codes.get(it)?, share)));
            Unit {
                observed: alike.chain(unlike).sum(),
                given: shares.collect(),
                items: (float(pairable_items(nominal)), float(nominal.items())),
                ..Unit::default()
            }
        };
        let q = float(weights.len());
        let reading = Reading::Weights(weights.total().value() / (q * (q - 1.0)));
        Ok(Self { units: units.iter().map(unit).collect(), categories: codes.len(), reading })
    }

    /// How many units there are.
    pub fn len(&self) -> usize {
        self.units.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// The measure of the units, each counted so many times.
    ///
    /// # Undefined when
    /// It is of all these units together.
    pub fn value(&self, times: &[u32]) -> Result<f64, Undefined> {
        let drawn = || self.units.iter().zip(times).filter(|(_, times)| **times > 0);
        let mut given = vec![0.0; self.categories];
        for (unit, times) in drawn() {
            for (category, count) in &unit.given {
                if let Some(sum) = given.get_mut(*category) {
                    *sum += f64::from(*times) * count;
                }
            }
        }
        let observed = || drawn().map(|(unit, times)| f64::from(*times) * unit.observed).sum();
        match &self.reading {
            Reading::Line(line) => alpha(observed(), &given, || on_line(&given, line)),
            Reading::Distances(distances) => alpha(observed(), &given, || {
                let rows = distances.chunks_exact(self.categories).zip(&given);
                let row = |(row, n): (&[f64], &f64)| {
                    let sum: f64 = row.iter().zip(&given).map(|(apart, k)| apart * k).sum();
                    if *n > 0.0 { n * sum } else { 0.0 }
                };
                rows.map(row).sum()
            }),
            Reading::Order => {
                let mut below = 0.0;
                let middle = |count: &f64| {
                    below += count;
                    below - count / 2.0
                };
                let line: Vec<f64> = given.iter().map(middle).collect();
                let place = |category: usize| line.get(category).copied().unwrap_or(f64::NAN);
                let apart =
                    |(a, b, met): &(usize, usize, f64)| met * (place(*a) - place(*b)).powi(2);
                let of_unit = |unit: &Unit| unit.unlike.iter().map(apart).sum::<f64>();
                let observed = drawn().map(|(unit, times)| f64::from(*times) * of_unit(unit)).sum();
                alpha(observed, &given, || on_line(&given, &line))
            }
            Reading::Weights(chance) => {
                let items = drawn().map(|(unit, times)| {
                    (f64::from(*times) * unit.items.0, f64::from(*times) * unit.items.1)
                });
                let (pairable, all) = items.fold((0.0, 0.0), |(a, b), (c, d)| (a + c, b + d));
                if pairable <= 0.0 {
                    return Err(Undefined::NoSharedPositions);
                }
                let observed: f64 = observed();
                let observed = observed / pairable;
                let spread = given.iter().map(|given| given / all).map(|p| p * (1.0 - p));
                let expected = chance * spread.sum::<f64>();
                if expected >= 1.0 {
                    return Err(Undefined::NoExpectedDisagreement);
                }
                Ok((observed - expected) / (1.0 - expected))
            }
        }
    }
}

/// Alpha: `Σ n_c n_k δ²` is asked for where there are two categories.
fn alpha(observed: f64, given: &[f64], expected: impl FnOnce() -> f64) -> Result<f64, Undefined> {
    let n: f64 = given.iter().sum();
    match given.iter().filter(|given| **given > 0.0).count() {
        0 => return Err(Undefined::NoSharedPositions),
        1 => return Err(Undefined::OneCategory),
        _ => {}
    }
    let expected = expected() / (n * (n - 1.0));
    if expected <= 0.0 {
        return Err(Undefined::NoExpectedDisagreement);
    }
    Ok(1.0 - observed / n / expected)
}

/// `Σ n_c n_k (x_c − x_k)²`, by differences from the mean.
fn on_line(given: &[f64], line: &[f64]) -> f64 {
    let places = || given.iter().zip(line);
    let n: f64 = given.iter().sum();
    let mean = places().map(|(n, x)| n * x).sum::<f64>() / n;
    2.0 * n * places().map(|(n, x)| n * (x - mean).powi(2)).sum::<f64>()
}

/// All categories of units, in their order.
fn codes<C: Ord + Clone>(units: &[CoincidenceTally<C>]) -> BTreeMap<&C, usize> {
    let all: BTreeSet<&C> = units.iter().flat_map(|unit| unit.nominal().categories()).collect();
    all.into_iter().enumerate().map(|(code, category)| (category, code)).collect()
}

/// How often each category was given where another rating stands beside.
fn given<C: Ord + Clone>(
    tally: &CoincidenceTally<C>,
    codes: &BTreeMap<&C, usize>,
) -> Vec<(usize, f64)> {
    let pairable = tally.nominal().pairable().into_iter();
    pairable.filter_map(|(category, n)| Some((*codes.get(category)?, float(n)))).collect()
}

/// A count of pairs, which are far fewer than the type could hold.
fn signed(pairs: u128) -> i128 {
    i128::try_from(pairs).unwrap_or(i128::MAX)
}
