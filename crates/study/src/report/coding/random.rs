//! Random numbers for resampling: the same on every platform.

use agreement::SplitMix64;

/// The numbers of one sample.
pub(super) struct Random(SplitMix64);

impl Random {
    /// A stream of its own for each number.
    pub(super) const fn stream(seed: u64, number: u64) -> Self {
        let start = SplitMix64::new(seed).draw() ^ number.wrapping_mul(SplitMix64::STEP);
        Self(SplitMix64::new(SplitMix64::new(start).draw()))
    }

    /// How many of so many coins fall on one side.
    fn heads(&mut self, coins: u64) -> u64 {
        let mut heads = 0;
        for _ in 0..coins / 64 {
            heads += u64::from(self.0.draw().count_ones());
        }
        let rest = self.0.draw() & ((1 << (coins % 64)) - 1);
        heads + u64::from(rest.count_ones())
    }

    /// How many of so many uniform numbers from 0 to 1 lie below a share, given as its 64 binary
    /// digits: a draw from the binomial distribution.
    ///
    /// All numbers are compared with the share at once, digit after digit: of those that are
    /// still equal to it, half differ in the next. It takes two random bits a number, no
    /// logarithm, and is exact to the last of the digits.
    pub(super) fn below_share(&mut self, numbers: u64, share: u64) -> u64 {
        let (mut equal, mut digits, mut below) = (numbers, share, 0);
        while equal > 0 && digits > 0 {
            let ones = self.heads(equal);
            if digits >> 63 == 1 {
                below += equal - ones;
                equal = ones;
            } else {
                equal -= ones;
            }
            digits <<= 1;
        }
        below
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_those_of_the_binomial_distribution() {
        for (numbers, share) in [(10_u32, 0.5_f64), (1_000, 0.3), (1_000, 0.999), (37, 0.01)] {
            let digits = format!("{:.0}", share * 18_446_744_073_709_551_616.0).parse().unwrap();
            let draws: Vec<f64> = (0..20_000)
                .map(|stream| Random::stream(7, stream).below_share(numbers.into(), digits))
                .map(|below| f64::from(u32::try_from(below).unwrap()))
                .collect();
            let mean = draws.iter().sum::<f64>() / 20_000.0;
            let variance = draws.iter().map(|n| (n - mean).powi(2)).sum::<f64>() / 19_999.0;
            let (n, expected) = (f64::from(numbers), f64::from(numbers) * share);
            let spread = n * share * (1.0 - share);
            assert!((mean - expected).abs() < 5.0 * (spread / 20_000.0).sqrt(), "{numbers} {mean}");
            assert!((variance / spread - 1.0).abs() < 0.08, "{numbers} {variance} {spread}");
        }
    }

    #[test]
    fn nothing_and_everything() {
        let mut random = Random::stream(1, 1);
        assert_eq!(random.below_share(1_000, 0), 0);
        assert_eq!(random.below_share(1_000, u64::MAX), 1_000);
        assert_eq!(random.below_share(0, 1 << 63), 0);
    }
}
