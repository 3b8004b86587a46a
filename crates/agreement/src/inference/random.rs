//! Seeded random numbers, the same on every platform: integer arithmetic only.

/// Steele, Lea and Flood's `SplitMix64` (OOPSLA 2014): one addition and one mixing per number.
#[derive(Clone, Debug)]
pub(crate) struct Random {
    state: u64,
}

/// The golden ratio in 64 bits, the generator's step.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

impl Random {
    pub(crate) fn seeded(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The stream of one replicate: it depends on the seed and the number of the replicate only,
    /// so replicates may be drawn in any order.
    pub(crate) fn stream(seed: u64, replicate: u64) -> Self {
        Self::seeded(mix(mix(seed.wrapping_add(STEP)) ^ replicate.wrapping_mul(STEP)))
    }

    pub(crate) fn number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mix(self.state)
    }

    /// A number from 0 up to, but not including, `bound`; each equally likely. 0 if `bound` is.
    ///
    /// Lemire's multiplication (ACM Transactions on Modeling and Computer Simulation 29(1), 2019).
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        loop {
            let product = u128::from(self.number()) * u128::from(bound);
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
    fn steele_lea_flood_reference_numbers_of_seed_1234567() {
        let mut random = Random::seeded(1_234_567);
        let numbers = [random.number(), random.number(), random.number()];
        assert_eq!(
            numbers,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

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
