//! Fractions as integers: sums that are the same in every order, on any number of threads.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

/// A number in units of 2⁻⁴⁸: a probability to 14 decimals, or a sum of logarithms of probabilities.
///
/// Learning from raters repeats the same sums hundreds of times, and where the data is symmetric a
/// last bit decides which way it goes: integers have none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fixed(i128);

/// How many units are one.
const UNITS: f64 = 281_474_976_710_656.0; // 2^48

impl Fixed {
    pub(crate) const ZERO: Self = Self(0);

    /// The logarithm of zero: lower than 2³⁸ logarithms of positive numbers together, so that what is
    /// ruled out fewer times comes first. 2³⁰ of them can be added.
    pub(crate) const LN_ZERO: Self = Self(-(1 << 96));

    /// The nearest number; up to 2¹⁵ in size.
    #[expect(
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        reason = "std has no TryFrom<f64> for i64; the cast rounds off less than a unit"
    )]
    pub(crate) fn new(number: f64) -> Self {
        Self(i128::from(libm::round(number * UNITS) as i64))
    }

    /// The natural logarithm of a probability.
    pub(crate) fn ln(probability: f64) -> Self {
        if probability > 0.0 { Self::new(libm::log(probability)) } else { Self::LN_ZERO }
    }

    /// The number, rounded to 53 bits.
    #[expect(
        clippy::as_conversions,
        clippy::cast_precision_loss,
        reason = "std has no From<i128> for f64; the cast rounds to nearest"
    )]
    pub(crate) fn value(self) -> f64 {
        self.0 as f64 / UNITS
    }

    /// So many times the number.
    pub(crate) fn times(self, count: u64) -> Self {
        Self(self.0 * i128::from(count))
    }
}

impl Add for Fixed {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Fixed {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Fixed {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Sum for Fixed {
    fn sum<I: Iterator<Item = Self>>(numbers: I) -> Self {
        numbers.fold(Self::ZERO, Add::add)
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the numbers are exactly representable")]
mod tests {
    use super::Fixed;

    #[test]
    fn sums_have_no_order() {
        let numbers: Vec<Fixed> = (1..1_000).map(|n| Fixed::new(1.0 / f64::from(n))).collect();
        let forwards: Fixed = numbers.iter().copied().sum();
        let backwards: Fixed = numbers.iter().rev().copied().sum();
        assert_eq!(forwards, backwards);
        assert_eq!(Fixed::new(0.25).times(6).value(), 1.5);
        assert_eq!((Fixed::new(0.25) - Fixed::new(1.0)).value(), -0.75);
    }

    #[test]
    fn what_is_ruled_out_less_often_comes_first() {
        let unlikely = Fixed::ln(f64::MIN_POSITIVE).times(1 << 30);
        assert!(Fixed::ln(0.0) < unlikely);
        assert!(Fixed::ln(0.0).times(2) < Fixed::ln(0.0) + unlikely);
        assert_eq!(Fixed::ln(1.0), Fixed::ZERO);
    }
}
