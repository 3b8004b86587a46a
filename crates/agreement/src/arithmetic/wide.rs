//! Numbers of 106 bits: sums of fractions that are rounded to an `f64` once, at the end.
//!
//! A number is the unevaluated sum of two `f64`, the second at most half a unit in the last place
//! of the first (Dekker 1971; Knuth, *The Art of Computer Programming* 4.2.2). Integers below
//! 2^106 are exact; each operation errs by a few parts in 2^104.

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Sub};

/// The sum of two floating-point numbers, the larger first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wide {
    high: f64,
    low: f64,
}

impl Wide {
    pub(crate) const ZERO: Self = Self { high: 0.0, low: 0.0 };
    pub(crate) const ONE: Self = Self { high: 1.0, low: 0.0 };

    /// The nearest `f64`.
    pub(crate) fn value(self) -> f64 {
        self.high
    }

    /// 0 in place of what can only be the rounding error of numbers up to about 1.
    pub(crate) fn settled(self) -> Self {
        const NOISE: f64 = f64::EPSILON * f64::EPSILON * 16.0; // 2^-100
        if self.high.abs() < NOISE { Self::ZERO } else { self }
    }

    pub(crate) fn is_positive(self) -> bool {
        self.high > 0.0
    }

    /// The quotient of two integers; the caller has ruled out a denominator of zero.
    pub(crate) fn ratio(numerator: impl Into<Self>, denominator: impl Into<Self>) -> Self {
        numerator.into() / denominator.into()
    }

    /// The sum, the same to the last bit whatever order the terms come in.
    pub(crate) fn sum(terms: impl IntoIterator<Item = Self>) -> Self {
        let mut terms: Vec<Self> = terms.into_iter().collect();
        Self::sort(&mut terms);
        terms.into_iter().fold(Self::ZERO, Add::add)
    }

    /// Puts the smallest first. All that is sorted before it is added up is sorted here: code for
    /// sorting is large, and browsers load it too.
    pub(crate) fn sort(terms: &mut [Self]) {
        terms.sort_unstable_by(Self::order);
    }

    pub(crate) fn abs(self) -> Self {
        if self.high < 0.0 { Self::ZERO - self } else { self }
    }

    pub(crate) fn squared(self) -> Self {
        self * self
    }

    fn order(&self, other: &Self) -> Ordering {
        self.high.total_cmp(&other.high).then(self.low.total_cmp(&other.low))
    }
}

/// The sum of two numbers and the error of its rounding.
fn two_sum(a: f64, b: f64) -> Wide {
    let high = a + b;
    let from_b = high - a;
    Wide { high, low: (a - (high - from_b)) + (b - from_b) }
}

/// The product of two numbers and the error of its rounding.
///
/// Veltkamp's split instead of a fused multiply-add, which is a slow library call where the
/// processor has none.
fn two_product(a: f64, b: f64) -> Wide {
    let high = a * b;
    let (a_high, a_low) = split(a);
    let (b_high, b_low) = split(b);
    let low = ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low;
    Wide { high, low }
}

fn split(a: f64) -> (f64, f64) {
    const FACTOR: f64 = 134_217_729.0; // 2^27 + 1
    let scaled = FACTOR * a;
    let high = scaled - (scaled - a);
    (high, a - high)
}

impl Add for Wide {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let high = two_sum(self.high, other.high);
        let low = two_sum(self.low, other.low);
        let carried = two_sum(high.high, high.low + low.high);
        two_sum(carried.high, carried.low + low.low)
    }
}

impl Sub for Wide {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + Self { high: -other.high, low: -other.low }
    }
}

impl Mul for Wide {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let product = two_product(self.high, other.high);
        let cross = self.high * other.low + self.low * other.high;
        two_sum(product.high, product.low + cross)
    }
}

impl Div for Wide {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self - other * Self::from(first);
        let second = rest.high / other.high;
        let rest = rest - other * Self::from(second);
        two_sum(first, second) + Self::from(rest.high / other.high)
    }
}

impl From<f64> for Wide {
    fn from(value: f64) -> Self {
        Self { high: value, low: 0.0 }
    }
}

impl From<i128> for Wide {
    #[expect(
        clippy::as_conversions,
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "std has no From<i128> for f64; what the first cast rounds off, the second keeps"
    )]
    fn from(integer: i128) -> Self {
        let high = integer as f64;
        two_sum(high, integer.saturating_sub(high as i128) as f64)
    }
}

impl From<u128> for Wide {
    fn from(integer: u128) -> Self {
        // Tallies keep their integers far below 2^127.
        Self::from(i128::try_from(integer).unwrap_or(i128::MAX))
    }
}

impl From<u64> for Wide {
    fn from(integer: u64) -> Self {
        Self::from(i128::from(integer))
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "these quotients are exact")]
mod tests {
    use super::Wide;

    #[test]
    fn thirds_add_up_to_one() {
        let third = Wide::ratio(1_u64, 3_u64);
        assert_eq!((third + third + third).value(), 1.0);
        assert!((Wide::ONE - (third + third + third)).value().abs() < 1e-31);
    }

    #[test]
    fn integers_of_100_bits_are_exact() {
        let large = Wide::from((1_i128 << 100) + 1);
        assert_eq!((large - Wide::from(1_i128 << 100)).value(), 1.0);
        assert_eq!(((large * large) / large - large).value(), 0.0);
    }

    #[test]
    fn sum_does_not_depend_on_the_order_of_its_terms() {
        let terms: Vec<Wide> = (1..200_u64).map(|n| Wide::ratio(1_u64, n)).collect();
        let backwards = terms.iter().rev().copied();
        assert_eq!(Wide::sum(backwards), Wide::sum(terms.iter().copied()));
    }
}
