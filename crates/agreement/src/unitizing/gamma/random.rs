//! Random places for shuffled annotations. Its streams are its own, so that published values of gamma
//! stay what they are.

use crate::arithmetic::random::SplitMix64;

/// A stream of random numbers below bounds.
#[derive(Clone, Debug)]
pub(crate) struct Random(SplitMix64);

impl Random {
    /// The numbered stream of a seed; streams can be drawn in any order.
    pub(crate) fn stream(seed: u64, number: u64) -> Self {
        let offset = SplitMix64::new(seed).draw();
        let mut streams = SplitMix64::new(offset ^ number.wrapping_mul(0xd134_2543_de82_ef95));
        Self(SplitMix64::new(streams.draw()))
    }

    /// A number below `bound`, each as likely as the others; 0 if `bound` is 0.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        // Numbers from here on would favour the small remainders.
        let fair = u64::MAX - (u64::MAX % bound.max(1));
        loop {
            let number = self.0.draw();
            if number < fair {
                return number % bound.max(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn streams_repeat_and_differ() {
        let draw = |seed, number| {
            let mut random = Random::stream(seed, number);
            [random.below(1 << 40), random.below(1 << 40)]
        };
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(1, 3));
        assert_ne!(draw(1, 2), draw(2, 2));
    }

    #[test]
    fn numbers_are_below_the_bound_and_reach_all_of_it() {
        let mut random = Random::stream(7, 0);
        let mut counts = [0_u32; 5];
        for _ in 0..5_000 {
            let number = usize::try_from(random.below(5)).unwrap();
            counts[number] += 1;
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
        assert_eq!(random.below(0), 0);
    }
}
