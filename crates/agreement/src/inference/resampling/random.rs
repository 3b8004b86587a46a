//! Random numbers below bounds, for resampling.

use crate::arithmetic::random::SplitMix64;

/// The numbers of one replicate.
#[derive(Clone, Debug)]
pub(crate) struct Random(SplitMix64);

impl Random {
    /// The stream of one replicate: it depends on the seed and the number of the replicate only,
    /// so replicates may be drawn in any order.
    pub(crate) fn stream(seed: u64, replicate: u64) -> Self {
        let start = SplitMix64::new(seed).draw() ^ replicate.wrapping_mul(SplitMix64::STEP);
        Self(SplitMix64::new(SplitMix64::mix(start)))
    }

    /// A number from 0 up to, but not including, `bound`; each equally likely. 0 if `bound` is.
    ///
    /// Lemire's multiplication (ACM Transactions on Modeling and Computer Simulation 29(1), 2019).
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        loop {
            let product = u128::from(self.0.draw()) * u128::from(bound);
            let (high, low) = halves(product);
            // Only a low half below 2^64 mod bound is over-represented; it is below bound.
            if low >= bound || low >= bound.wrapping_neg().checked_rem(bound).unwrap_or(0) {
                return high;
            }
        }
    }
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "each half of 128 bits is 64 bits"
)]
fn halves(product: u128) -> (u64, u64) {
    ((product >> 64) as u64, product as u64)
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn each_number_below_a_bound_is_equally_likely() {
        let mut random = Random::stream(1, 2);
        let mut counts = [0_u32; 7];
        for _ in 0..70_000 {
            counts[usize::try_from(random.below(7)).unwrap()] += 1;
        }
        assert!(counts.iter().all(|&count| count.abs_diff(10_000) < 400), "{counts:?}");
        assert_eq!((random.below(1), random.below(0)), (0, 0));
    }
}
