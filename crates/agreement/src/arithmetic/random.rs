//! The one generator of random numbers: the same seed gives the same numbers on every machine.

/// `SplitMix64` (Steele, Lea and Flood 2014): one addition and one mixing per number, integers only.
/// Equidistributed and plenty for resampling; not for secrets.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The golden ratio in 64 bits, by which the state moves.
    pub const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

    /// The numbers that follow from a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number; all 64 bits are equally good.
    pub const fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(Self::STEP);
        Self::mix(self.0)
    }

    pub(crate) const fn mix(number: u64) -> u64 {
        let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        number ^ (number >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::SplitMix64;

    #[test]
    fn steele_lea_flood_reference_numbers_of_seed_1234567() {
        let mut random = SplitMix64::new(1_234_567);
        assert_eq!(
            [random.draw(), random.draw(), random.draw()],
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }
}
