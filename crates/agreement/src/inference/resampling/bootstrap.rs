//! The bootstrap: how much a measure moves when its units are drawn anew, with replacement.

use crate::Undefined;
use crate::arithmetic::number::{count64, float, sum};
use crate::inference::distributions::normal;
use crate::inference::resampling::random::Random;
use crate::inference::{Interval, Jackknife, Level};

/// How often to resample, and from which seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resampling {
    /// How many resamples to draw.
    pub resamples: u32,
    /// The same seed gives the same resamples, on every platform.
    pub seed: u64,
}

impl Default for Resampling {
    /// 2,000 resamples, which settle the second digit of a 95 % interval.
    fn default() -> Self {
        Self { resamples: 2_000, seed: 0 }
    }
}

/// What a measure came to in each resample.
#[derive(Clone, Debug, PartialEq)]
pub struct Bootstrap {
    value: f64,
    /// Sorted.
    replicates: Vec<f64>,
    undefined: u32,
}

/// Draws as many units as there are, with replacement, and measures; again and again.
///
/// `statistic` gets how often each unit counts in the resample. Units are what was drawn
/// independently: items, or whole documents where items of one document are alike. The function
/// knows nothing of what they are, so any measure can be bootstrapped.
///
/// Resamples without a value (in which, say, only one category was used) are left out, so the
/// intervals are those of resamples that have one; [`Bootstrap::undefined`] says how many.
///
/// # Undefined when
/// There are fewer than two units ([`Undefined::TooFewUnits`]), the statistic of all of them is
/// undefined, or it is in every resample ([`Undefined::TooFewResamples`]).
///
/// # Reference
/// Efron, B. and Tibshirani, R. J. (1993). *An Introduction to the Bootstrap*, chapters 13 and 14.
///
/// # Example
/// ```
/// # use agreement::{Contingency, cohen_kappa};
/// # use agreement::inference::{Level, Resampling, bootstrap};
/// let judgements = [("a", "a"), ("b", "b"), ("a", "b"), ("b", "b"), ("a", "a"), ("c", "a")];
/// let kappa = |times: &[u32]| {
///     let mut table = Contingency::new();
///     for (&(row, column), &count) in judgements.iter().zip(times) {
///         table.add_count(row, column, count.into());
///     }
///     Ok(cohen_kappa(&table)?.value)
/// };
/// let bootstrap = bootstrap(judgements.len(), Resampling::default(), kappa)?;
/// let interval = bootstrap.percentile(Level::P95);
/// assert!(interval.contains(bootstrap.value()));
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn bootstrap(
    units: usize,
    resampling: Resampling,
    statistic: impl Fn(&[u32]) -> Result<f64, Undefined>,
) -> Result<Bootstrap, Undefined> {
    if units < 2 {
        return Err(Undefined::TooFewUnits);
    }
    let mut times = vec![1; units];
    let value = statistic(&times)?;
    Bootstrap::draw(value, resampling, |random| {
        draw_units(random, &mut times);
        statistic(&times)
    })
}

/// Draws as many units as there are, and counts how often each was drawn.
pub(crate) fn draw_units(random: &mut Random, times: &mut [u32]) {
    times.fill(0);
    let units = count64(times.len());
    for _ in 0..units {
        let unit = usize::try_from(random.below(units)).unwrap_or_default();
        if let Some(times) = times.get_mut(unit) {
            *times += 1;
        }
    }
}

impl Bootstrap {
    /// Every replicate has a random stream of its own.
    pub(crate) fn draw(
        value: f64,
        resampling: Resampling,
        mut replicate: impl FnMut(&mut Random) -> Result<f64, Undefined>,
    ) -> Result<Self, Undefined> {
        let (mut replicates, mut undefined) = (Vec::new(), 0);
        for number in 0..resampling.resamples {
            match replicate(&mut Random::stream(resampling.seed, number.into())) {
                Ok(value) => replicates.push(value),
                Err(_) => undefined += 1,
            }
        }
        Self::of(value, replicates, undefined)
    }

    /// The value of all units, and what it came to in resamples that were drawn elsewhere;
    /// `undefined` of them had no value.
    ///
    /// # Undefined when
    /// No resample has a value ([`Undefined::TooFewResamples`]).
    pub fn of(value: f64, mut replicates: Vec<f64>, undefined: u32) -> Result<Self, Undefined> {
        if replicates.is_empty() {
            return Err(Undefined::TooFewResamples);
        }
        // Sorted, so that nothing read from them depends on the order of the draws.
        replicates.sort_unstable_by(f64::total_cmp);
        Ok(Self { value, replicates, undefined })
    }

    /// The value of the units as they are.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// How much more this measure came to than another one, of units that were drawn independently
    /// of these: the values' difference, with every replicate less every one of the other's.
    /// Measures of the same units depend on each other: resample their difference instead.
    ///
    /// # Example
    /// ```
    /// # use agreement::inference::{Level, Resampling, bootstrap};
    /// let mean = |values: [f64; 8]| {
    ///     bootstrap(8, Resampling::default(), move |times| {
    ///         Ok(values.iter().zip(times).map(|(v, &t)| v * f64::from(t)).sum::<f64>() / 8.0)
    ///     })
    /// };
    /// let before = mean([1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0, 5.0])?;
    /// let after = mean([3.0, 4.0, 4.0, 5.0, 5.0, 6.0, 6.0, 7.0])?;
    /// let change = after.minus(&before);
    /// assert_eq!(change.value(), 2.0);
    /// assert!(change.percentile(Level::P95).lower > 0.0);
    /// # Ok::<(), agreement::Undefined>(())
    /// ```
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        let differences = |mine: &f64| {
            let mine = *mine;
            other.replicates.iter().map(move |theirs| mine - theirs)
        };
        let mut replicates: Vec<f64> = self.replicates.iter().flat_map(differences).collect();
        replicates.sort_unstable_by(f64::total_cmp);
        Self {
            value: self.value - other.value,
            replicates,
            undefined: self.undefined.saturating_add(other.undefined),
        }
    }

    /// The values of the resamples that have one, sorted.
    pub fn replicates(&self) -> &[f64] {
        &self.replicates
    }

    /// How many resamples had no value and were left out.
    pub fn undefined(&self) -> u32 {
        self.undefined
    }

    /// The standard deviation of the replicates.
    pub fn standard_error(&self) -> f64 {
        let n = self.count();
        let mean = self.mean();
        let squares = sum(self.replicates.iter().map(|value| (value - mean) * (value - mean)));
        if n > 1.0 { (squares / (n - 1.0)).sqrt() } else { 0.0 }
    }

    /// The estimated bias: the mean of the replicates less the value.
    pub fn bias(&self) -> f64 {
        self.mean() - self.value
    }

    /// The percentile interval: the middle of the replicates.
    pub fn percentile(&self, level: Level) -> Interval {
        let outside = 0.5 * level.outside();
        Interval { lower: self.quantile(outside), upper: self.quantile(1.0 - outside) }
    }

    /// The interval corrected for bias and for a standard error that changes with the value.
    ///
    /// `jackknife` leaves out the same units as were resampled. Of replicates that equal the
    /// value, half count as below it.
    ///
    /// # Undefined when
    /// All replicates lie on one side of the value ([`Undefined::TooFewResamples`]).
    ///
    /// # Reference
    /// Efron, B. (1987). Better bootstrap confidence intervals. *Journal of the American
    /// Statistical Association* 82(397), 171–185.
    pub fn bias_corrected(
        &self,
        level: Level,
        jackknife: &Jackknife,
    ) -> Result<Interval, Undefined> {
        let below = self.replicates.partition_point(|&replicate| replicate < self.value);
        let up_to = self.replicates.partition_point(|&replicate| replicate <= self.value);
        let share_below = 0.5 * (size(below) + size(up_to)) / self.count();
        if share_below <= 0.0 || share_below >= 1.0 {
            return Err(Undefined::TooFewResamples);
        }
        let bias = -normal::upper_quantile(share_below);
        let acceleration = jackknife.acceleration();
        let reach = normal::upper_quantile(0.5 * level.outside());
        let quantile = |z: f64| {
            let moved = bias + z;
            self.quantile(normal::cumulative(bias + moved / (1.0 - acceleration * moved)))
        };
        Ok(Interval { lower: quantile(-reach), upper: quantile(reach) })
    }

    /// Linear interpolation between replicates, as the default of R and of `NumPy`.
    fn quantile(&self, share: f64) -> f64 {
        let place = share.clamp(0.0, 1.0) * (self.count() - 1.0);
        let index = index(place);
        let at = |index: usize| self.replicates.get(index).copied();
        match (at(index), at(index + 1)) {
            (Some(low), Some(high)) => low + (high - low) * (place - place.floor()),
            (Some(last), None) => last,
            (None, _) => self.value,
        }
    }

    fn count(&self) -> f64 {
        size(self.replicates.len())
    }

    fn mean(&self) -> f64 {
        sum(self.replicates.iter().copied()) / self.count()
    }
}

fn size(length: usize) -> f64 {
    float(count64(length))
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a place among replicates is not negative, and rounding down is meant"
)]
fn index(place: f64) -> usize {
    place as usize
}
