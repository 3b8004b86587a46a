//! Unsigned integers of 256 bits: cubes of offsets stay exact where 128 bits would wrap around.
#![expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::indexing_slicing,
    reason = "limbs are split and joined on purpose, and loops end at the four limbs"
)]

use std::cmp::Ordering;
use std::iter::Sum;

/// Four limbs, the least significant first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct U256([u64; 4]);

impl U256 {
    /// The product, which always fits.
    pub(crate) fn product(left: u128, right: u128) -> Self {
        Self::from(left).saturating_mul(Self::from(right))
    }

    pub(crate) fn is_zero(self) -> bool {
        self == Self::default()
    }

    /// The sum, or `None` beyond 256 bits.
    pub(crate) fn checked_add(self, other: Self) -> Option<Self> {
        let mut sum = Self::default();
        let mut carry = 0_u128;
        for limb in 0..4 {
            carry += u128::from(self.0[limb]) + u128::from(other.0[limb]);
            sum.0[limb] = carry as u64;
            carry >>= 64;
        }
        (carry == 0).then_some(sum)
    }

    /// The difference, or `None` if `other` is the larger.
    pub(crate) fn checked_sub(self, other: Self) -> Option<Self> {
        let mut difference = Self::default();
        let mut borrow = false;
        for limb in 0..4 {
            let (first, lent) = self.0[limb].overflowing_sub(other.0[limb]);
            let (second, lent_again) = first.overflowing_sub(u64::from(borrow));
            difference.0[limb] = second;
            borrow = lent || lent_again;
        }
        (!borrow).then_some(difference)
    }

    /// The product, or `None` beyond 256 bits.
    pub(crate) fn checked_mul(self, other: Self) -> Option<Self> {
        let mut limbs = [0_u64; 8];
        for left in 0..4 {
            let mut carry = 0_u128;
            for right in 0..4 {
                carry += u128::from(limbs[left + right])
                    + u128::from(self.0[left]) * u128::from(other.0[right]);
                limbs[left + right] = carry as u64;
                carry >>= 64;
            }
            limbs[left + 4] = carry as u64;
        }
        let fits = limbs[4..].iter().all(|&limb| limb == 0);
        fits.then_some(Self([limbs[0], limbs[1], limbs[2], limbs[3]]))
    }

    /// The nearest `f64`.
    pub(crate) fn to_f64(self) -> f64 {
        let low = u128::from(self.0[0]) | u128::from(self.0[1]) << 64;
        let high = u128::from(self.0[2]) | u128::from(self.0[3]) << 64;
        if high == 0 {
            return low as f64;
        }
        let shift = 128 - high.leading_zeros();
        let (top, rest) = if shift == 128 {
            (high, low)
        } else {
            (high << (128 - shift) | low >> shift, low << (128 - shift))
        };
        // A bit that stands for all that was shifted out keeps rounding to nearest right.
        let top = top | u128::from(rest != 0);
        top as f64 * 2_f64.powi(shift.cast_signed())
    }

    fn saturating_mul(self, other: Self) -> Self {
        self.checked_mul(other).unwrap_or(Self([u64::MAX; 4]))
    }
}

impl From<u128> for U256 {
    fn from(value: u128) -> Self {
        Self([value as u64, (value >> 64) as u64, 0, 0])
    }
}

impl From<u64> for U256 {
    fn from(value: u64) -> Self {
        Self([value, 0, 0, 0])
    }
}

impl Ord for U256 {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

impl PartialOrd for U256 {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `None` as soon as the sum leaves 256 bits.
impl Sum<U256> for Option<U256> {
    fn sum<I: Iterator<Item = U256>>(mut values: I) -> Self {
        values.try_fold(U256::default(), U256::checked_add)
    }
}

/// `1 − part / whole`, subtracted as integers, so that it is exactly 0 or 1 where it should be.
///
/// The caller has ruled out a `whole` of zero.
pub(crate) fn one_minus(part: U256, whole: U256) -> f64 {
    match (whole.checked_sub(part), part.checked_sub(whole)) {
        (Some(rest), _) => rest.to_f64() / whole.to_f64(),
        (None, Some(excess)) => -(excess.to_f64() / whole.to_f64()),
        (None, None) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::{U256, one_minus};

    fn big(value: u128) -> U256 {
        U256::from(value)
    }

    #[test]
    fn product_of_the_largest_factors_is_exact() {
        let product = U256::product(u128::MAX, u128::MAX);
        // (2^128 − 1)² + 2·(2^128 − 1) + 1 = 2^256, one too many.
        let almost =
            product.checked_add(big(u128::MAX)).and_then(|p| p.checked_add(big(u128::MAX)));
        assert_eq!(almost, Some(U256([u64::MAX; 4])));
        assert_eq!(almost.and_then(|p| p.checked_add(big(1))), None);
    }

    #[test]
    fn products_beyond_256_bits_are_refused() {
        let large = U256::product(1 << 100, 1 << 100);
        assert_eq!(large.checked_mul(big(1 << 55)), Some(U256([0, 0, 0, 1 << 63])));
        assert_eq!(large.checked_mul(big(1 << 56)), None);
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "the values are exactly representable")]
    fn conversion_rounds_to_nearest() {
        assert_eq!(big(7).to_f64(), 7.0);
        assert_eq!(U256::product(1 << 127, 8).to_f64(), 2_f64.powi(130));
        let half_way = U256::product((1 << 53) + 1, 1 << 120);
        assert_eq!(half_way.to_f64(), 2_f64.powi(173));
        let above = half_way.checked_add(big(1)).unwrap();
        assert_eq!(above.to_f64(), 2_f64.powi(173) + 2_f64.powi(121));
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "the values are exactly representable")]
    fn one_minus_a_ratio_may_be_negative() {
        assert_eq!(one_minus(big(3), big(4)), 0.25);
        assert_eq!(one_minus(big(4), big(4)), 0.0);
        assert_eq!(one_minus(big(6), big(4)), -0.5);
    }
}
