//! The jackknife: how much a measure moves when one unit is left out.

use crate::Undefined;
use crate::arithmetic::number::{float, sum};
use crate::inference::{Estimate, Reference};

/// A measure without each of its units in turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Jackknife {
    value: f64,
    /// The value without a unit, and how many units leave that same value.
    replicates: Vec<(f64, u64)>,
    undefined: u64,
}

/// Leaves out each of the units in turn.
///
/// `statistic` gets how often each unit counts: here 1, and 0 for the one that is left out. Units
/// are what was drawn independently: items, or whole documents where items of one document are
/// alike.
///
/// # Undefined when
/// There are fewer than two units ([`Undefined::TooFewUnits`]), the statistic of all of them is
/// undefined, or it is without any one of them ([`Undefined::TooFewResamples`]).
///
/// # Reference
/// Efron, B. and Tibshirani, R. J. (1993). *An Introduction to the Bootstrap*, chapter 11.
///
/// # Example
/// The jackknifed standard error of a mean is the textbook one.
/// ```
/// # use agreement::inference::jackknife;
/// let values = [1.0, 2.0, 4.0, 5.0];
/// let mean = |times: &[u32]| {
///     let sum: f64 = values.iter().zip(times).map(|(value, &n)| value * f64::from(n)).sum();
///     Ok(sum / times.iter().map(|&n| f64::from(n)).sum::<f64>())
/// };
/// let jackknife = jackknife(values.len(), mean)?;
/// assert!((jackknife.standard_error() - (10.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-15);
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn jackknife(
    units: usize,
    statistic: impl Fn(&[u32]) -> Result<f64, Undefined>,
) -> Result<Jackknife, Undefined> {
    if units < 2 {
        return Err(Undefined::TooFewUnits);
    }
    let mut times = vec![1; units];
    let value = statistic(&times)?;
    let replicates: Vec<_> = (0..units)
        .map(|left_out| {
            set(&mut times, left_out, 0);
            let replicate = statistic(&times);
            set(&mut times, left_out, 1);
            (replicate, 1)
        })
        .collect();
    Jackknife::new(value, replicates)
}

fn set(times: &mut [u32], unit: usize, count: u32) {
    if let Some(times) = times.get_mut(unit) {
        *times = count;
    }
}

impl Jackknife {
    /// Each replicate comes with the number of units that leave it.
    pub(crate) fn new(
        value: f64,
        replicates: impl IntoIterator<Item = (Result<f64, Undefined>, u64)>,
    ) -> Result<Self, Undefined> {
        let (mut defined, mut undefined) = (Vec::new(), 0);
        for (replicate, times) in replicates {
            match replicate {
                Ok(replicate) => defined.push((replicate, times)),
                Err(_) => undefined += times,
            }
        }
        if defined.is_empty() {
            return Err(Undefined::TooFewResamples);
        }
        Ok(Self { value, replicates: defined, undefined })
    }

    /// The value with all units.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// How many units cannot be left out, because the measure is undefined without them. They
    /// are passed over: spread and bias are those of the other units.
    pub fn undefined(&self) -> u64 {
        self.undefined
    }

    /// The standard error: `√((n − 1) / n · Σ (θ_i − θ̄)²)`.
    pub fn standard_error(&self) -> f64 {
        let n = self.units();
        ((n - 1.0) / n * self.moment(2)).sqrt()
    }

    /// The estimated bias: `(n − 1) (θ̄ − θ)`.
    pub fn bias(&self) -> f64 {
        (self.units() - 1.0) * (self.mean() - self.value)
    }

    /// Value and standard error, with Student's t of `n − 1` degrees of freedom for intervals.
    pub fn estimate(&self) -> Estimate {
        let units: u64 = self.replicates.iter().map(|(_, times)| times).sum();
        let reference = Reference::StudentT(units.saturating_sub(1).max(1));
        Estimate { value: self.value, standard_error: self.standard_error(), reference }
    }

    /// How fast the standard error changes with the value: `Σ (θ̄ − θ_i)³ / 6 (Σ (θ̄ − θ_i)²)^1.5`.
    pub(crate) fn acceleration(&self) -> f64 {
        let spread = self.moment(2);
        if spread > 0.0 { -self.moment(3) / (6.0 * spread * spread.sqrt()) } else { 0.0 }
    }

    fn units(&self) -> f64 {
        sum(self.replicates.iter().map(|&(_, times)| float(times)))
    }

    fn mean(&self) -> f64 {
        sum(self.replicates.iter().map(|&(value, times)| value * float(times))) / self.units()
    }

    /// The sum of a power of the deviations from the mean.
    fn moment(&self, power: usize) -> f64 {
        let mean = self.mean();
        sum(self.replicates.iter().map(|&(value, times)| {
            // By multiplication, which unlike `powi` gives every platform the same bits.
            std::iter::repeat_n(value - mean, power).product::<f64>() * float(times)
        }))
    }
}
