//! A small seeded generator: the same seed gives the same numbers on every machine.

/// `SplitMix64` (Steele, Lea & Flood 2014): equidistributed, and plenty for shuffling.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The numbered stream of a seed; streams can be drawn in any order.
    pub(crate) fn stream(seed: u64, number: u64) -> Self {
        let mut seeds = Self(seed);
        let offset = seeds.next();
        let mut streams = Self(offset ^ number.wrapping_mul(0xd134_2543_de82_ef95));
        Self(streams.next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `bound`, each as likely as the others; 0 if `bound` is 0.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        // Numbers from here on would favour the small remainders.
        let fair = u64::MAX - (u64::MAX % bound.max(1));
        loop {
            let number = self.next();
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
