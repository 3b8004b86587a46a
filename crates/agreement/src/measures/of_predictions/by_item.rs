//! A measure of single items: its mean, and how far that can be trusted.

use crate::Undefined;
use crate::arithmetic::number::{count64, float, sum};
use crate::inference::{Bootstrap, Resampling, bootstrap};

/// What a measure came to on each item that it could be measured on. Items weigh the same, however many
/// people judged them.
///
/// # Example
/// ```
/// # use agreement::{ByItem, Undefined, manhattan_distance};
/// # use agreement::inference::{Level, Resampling};
/// let people = [[1.0, 0.0], [0.75, 0.25], [0.5, 0.5]];
/// let predicted = [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]];
/// let items = predicted.iter().zip(&people).map(|(p, t)| manhattan_distance(p, t));
/// let distances = ByItem::of(items)?;
/// assert_eq!(distances.mean(), 0.5);
/// let bootstrap = distances.bootstrap(Resampling::default())?;
/// assert!(bootstrap.percentile(Level::P95).contains(0.5));
/// # Ok::<(), Undefined>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ByItem {
    /// Sorted, so that nothing depends on the order of items.
    values: Vec<f64>,
}

impl ByItem {
    /// What a measure comes to on each item. Items on which nothing is compared
    /// ([`Undefined::NoSharedPositions`]) are left out.
    ///
    /// # Undefined when
    /// Nothing is left ([`Undefined::NoSharedPositions`]), or for the first other reason that an item has.
    pub fn of(items: impl IntoIterator<Item = Result<f64, Undefined>>) -> Result<Self, Undefined> {
        let mut values = Vec::new();
        for item in items {
            match item {
                Err(Undefined::NoSharedPositions) => {}
                item => values.push(item?),
            }
        }
        if values.is_empty() {
            return Err(Undefined::NoSharedPositions);
        }
        values.sort_unstable_by(f64::total_cmp);
        Ok(Self { values })
    }

    /// How many items it could be measured on, one at least.
    pub fn items(&self) -> usize {
        self.values.len()
    }

    /// The mean of the items.
    pub fn mean(&self) -> f64 {
        sum(self.values.iter().copied()) / float(count64(self.values.len()))
    }

    /// Resamples the items; see [`bootstrap`](fn@crate::inference::bootstrap).
    ///
    /// # Undefined when
    /// There is only one item ([`Undefined::TooFewUnits`]), or no resample
    /// ([`Undefined::TooFewResamples`]).
    pub fn bootstrap(&self, resampling: Resampling) -> Result<Bootstrap, Undefined> {
        let items = float(count64(self.values.len()));
        bootstrap(self.values.len(), resampling, |times| {
            let drawn =
                self.values.iter().zip(times).map(|(value, &times)| value * f64::from(times));
            Ok(drawn.sum::<f64>() / items)
        })
    }
}
