//! An estimate with its standard error, and the interval and the test that follow from it.

use crate::Undefined;
use crate::arithmetic::number::float;
use crate::inference::distributions::{normal, student};

/// How often an interval shall contain the true value, in repetitions of the whole study.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Level(f64);

impl Level {
    /// 90 of 100.
    pub const P90: Self = Self(0.90);
    /// 95 of 100, the custom.
    pub const P95: Self = Self(0.95);
    /// 99 of 100.
    pub const P99: Self = Self(0.99);

    /// A level strictly between 0 and 1.
    pub fn new(level: f64) -> Option<Self> {
        (level > 0.0 && level < 1.0).then_some(Self(level))
    }

    /// The level as a share, such as 0.95.
    pub fn share(self) -> f64 {
        self.0
    }

    /// What is left outside, on both sides together.
    pub(crate) fn outside(self) -> f64 {
        1.0 - self.0
    }
}

impl Default for Level {
    fn default() -> Self {
        Self::P95
    }
}

/// A confidence interval, with both ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
}

impl Interval {
    /// How wide it is.
    pub fn width(&self) -> f64 {
        self.upper - self.lower
    }

    /// Whether a value lies within, ends included.
    pub fn contains(&self, value: f64) -> bool {
        self.lower <= value && value <= self.upper
    }
}

/// What the distance between estimate and truth, in standard errors, is distributed as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    /// The normal distribution: for large samples.
    Normal,
    /// Student's t with so many degrees of freedom.
    StudentT(u64),
}

/// The value of a measure with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// What intervals and tests refer to.
    pub reference: Reference,
}

/// A test of "there is only chance".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Test {
    /// The value in standard errors.
    pub statistic: f64,
    /// How likely chance alone gives a value at least as far from 0, on either side.
    pub p_value: f64,
}

impl Estimate {
    /// The interval of a level; see [`Estimate::interval_at`].
    pub fn interval(&self, level: Level) -> Interval {
        let outside = 0.5 * level.outside();
        self.interval_at(match self.reference {
            Reference::Normal => normal::upper_quantile(outside),
            Reference::StudentT(degrees) => student::upper_quantile(outside, degrees),
        })
    }

    /// The interval of so many standard errors on each side, such as the customary 1.96.
    ///
    /// # Formula
    /// ```text
    /// value ± errors · standard error
    /// ```
    /// Where that leaves the range of coefficients, from −1 to 1, it is made on a scale that has no
    /// ends, and taken back: `tanh(artanh(value) ± errors · standard error / (1 − value²))`.
    ///
    /// Source of the scale: Fisher, R. A. (1921). On the "probable error" of a coefficient of
    /// correlation deduced from a small sample. Metron 1, 3–32; the standard error on it is that of
    /// the delta method.
    pub fn interval_at(&self, errors: f64) -> Interval {
        let reach = errors * self.standard_error;
        let plain = Interval { lower: self.value - reach, upper: self.value + reach };
        let one_less_square = 1.0 - self.value * self.value;
        if plain.lower >= -1.0 && plain.upper <= 1.0 {
            return plain;
        }
        let bounded = if one_less_square > 0.0 {
            // Not the platform's: a browser has to come to the same digits.
            let (place, reach) = (libm::atanh(self.value), reach / one_less_square);
            Interval { lower: libm::tanh(place - reach), upper: libm::tanh(place + reach) }
        } else {
            Interval { lower: plain.lower.max(-1.0), upper: plain.upper.min(1.0) }
        };
        // Sums of rounded numbers may end a hair away from what they bound.
        Interval { lower: bounded.lower.min(self.value), upper: bounded.upper.max(self.value) }
    }

    /// The test of whether the value is 0; undefined if the standard error is 0.
    pub fn test(&self) -> Result<Test, Undefined> {
        if self.standard_error > 0.0 {
            let statistic = self.value / self.standard_error;
            let p_value = match self.reference {
                Reference::Normal => 2.0 * normal::upper_tail(statistic.abs()),
                Reference::StudentT(degrees) => student::two_sided_tail(statistic, degrees),
            };
            Ok(Test { statistic, p_value })
        } else {
            Err(Undefined::NoVariance)
        }
    }
}

/// How many more items shrink an interval of the given width to the wanted one, all else equal.
///
/// # Formula
/// Standard errors shrink with the square root of the number of items:
/// ```text
/// more = ⌈n · (width / wanted)² − n⌉
/// ```
/// It holds for every interval here but the conservative one of true agreement, which stays wide
/// however many items there are. Give documents in place of items for an interval that was
/// resampled by document.
///
/// `None` if the wanted width is not above 0, or the number would be astronomical.
///
/// # Example
/// To halve an interval takes four times the items.
/// ```
/// # use agreement::inference::more_items_for_width;
/// assert_eq!(more_items_for_width(100, 0.38, 0.19), Some(300));
/// assert_eq!(more_items_for_width(100, 0.19, 0.38), Some(0));
/// assert_eq!(more_items_for_width(100, 0.38, 0.0), None);
/// ```
pub fn more_items_for_width(items: u64, width: f64, wanted: f64) -> Option<u64> {
    if width.is_nan() || wanted.is_nan() || wanted <= 0.0 || width < 0.0 {
        return None;
    }
    if width <= wanted {
        return Some(0);
    }
    let ratio = width / wanted;
    let more = (float(items) * (ratio * ratio - 1.0)).ceil();
    whole(more)
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be a whole number that fits"
)]
fn whole(number: f64) -> Option<u64> {
    (0.0..9e15).contains(&number).then_some(number as u64)
}
