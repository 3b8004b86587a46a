//! What gamma is asked for and what it answers: a value and the precision of its expectation.

use crate::Undefined;
use crate::arithmetic::sum::compensated;

/// What gamma is computed with; the default is what its authors use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GammaOptions {
    /// `α`, the weight of the distance between places, above 0 or 0.
    pub alpha: f64,
    /// `β`, the weight of the distance between categories, above 0 or 0.
    pub beta: f64,
    /// `Δ_∅`, what it costs to face an empty unit, above 0.
    pub delta_empty: f64,
    /// The relative precision of the expected disorder that is asked for, at 95 % confidence.
    pub precision: f64,
    /// Random annotations drawn at least; from their variance follows how many more are needed.
    pub samples: usize,
    /// Random annotations drawn at most, even if the precision is then not reached.
    pub most_samples: usize,
    /// Which random annotations are drawn.
    pub seed: u64,
}

impl Default for GammaOptions {
    fn default() -> Self {
        Self {
            alpha: 1.0,
            beta: 1.0,
            delta_empty: 1.0,
            precision: 0.02,
            samples: 30,
            most_samples: 10_000,
            seed: 1,
        }
    }
}

/// The value of gamma or of one of its relatives, with what it is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gamma {
    /// `1 − observed / expected`.
    pub value: f64,
    /// The disorder of the best alignment.
    pub observed: f64,
    /// The mean disorder of the best alignments of random annotations.
    pub expected: f64,
    /// How many random annotations have such a disorder.
    pub samples: usize,
    /// Half the 95 % interval of `expected`, relative to it: `1.96 s / (√samples · expected)`.
    pub precision: f64,
}

impl Gamma {
    /// Where gamma lies if `expected` lies in its 95 % interval.
    ///
    /// The lower end is −∞ if the samples say nothing, with a precision of 1 and more.
    pub fn range(&self) -> (f64, f64) {
        if self.observed == 0.0 {
            return (1.0, 1.0);
        }
        let at = |expected: f64| 1.0 - self.observed / expected.max(0.0);
        (at(self.expected * (1.0 - self.precision)), at(self.expected * (1.0 + self.precision)))
    }
}

/// `1 − observed / mean`, with the precision of the mean.
#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "samples are at most a few thousand"
)]
pub(super) fn corrected(
    observed: f64,
    samples: impl Iterator<Item = f64> + Clone,
) -> Result<Gamma, Undefined> {
    let count = samples.clone().count();
    let mean = compensated(samples.clone()) / count as f64;
    if count == 0 || mean <= 0.0 {
        return Err(Undefined::NoExpectedDisagreement);
    }
    let squares = compensated(samples.map(|sample| (sample - mean).powi(2)));
    let deviation = if count > 1 { (squares / (count - 1) as f64).sqrt() } else { f64::INFINITY };
    Ok(Gamma {
        value: 1.0 - observed / mean,
        observed,
        expected: mean,
        samples: count,
        precision: CONFIDENCE * deviation / ((count as f64).sqrt() * mean),
    })
}

/// The quantile of the normal distribution for 95 % on both sides.
const CONFIDENCE: f64 = 1.96;
