//! Chance that repeats itself: the same seed gives the same demo on every machine.

/// `SplitMix64` (Steele, Lea & Flood 2014): small, fast, good enough for a demo. Not for secrets.
pub(super) struct Dice(u64);

impl Dice {
    /// Dice that always fall the same way for the same numbers.
    pub(super) fn new(seeds: impl IntoIterator<Item = u64>) -> Self {
        let mut dice = Self(0x636f_6e63_6f72_6400);
        for seed in seeds {
            dice.0 = dice.next() ^ seed;
        }
        dice
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// True this many times in a thousand.
    pub(super) fn chance(&mut self, per_mille: u64) -> bool {
        self.next() % 1000 < per_mille
    }

    /// One of the items; none if there are none.
    pub(super) fn pick<'items, T>(&mut self, items: &'items [T]) -> Option<&'items T> {
        let items_count = u64::try_from(items.len()).ok().filter(|count| *count > 0)?;
        items.get(usize::try_from(self.next() % items_count).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_published_generator() {
        let mut dice = Dice(1_234_567);
        let numbers: Vec<u64> = std::iter::repeat_with(|| dice.next()).take(3).collect();
        assert_eq!(
            numbers,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn the_same_seeds_fall_the_same_way_and_others_do_not() {
        let throw = |seeds: [u64; 2]| {
            let mut dice = Dice::new(seeds);
            std::iter::repeat_with(move || dice.next()).take(4).collect::<Vec<_>>()
        };
        assert_eq!(throw([1, 2]), throw([1, 2]));
        assert_ne!(throw([1, 2]), throw([2, 1]));
    }

    #[test]
    fn a_chance_comes_about_as_often_as_it_says() {
        let mut dice = Dice::new([7]);
        let hits = std::iter::repeat_with(|| dice.chance(100)).take(10_000).filter(|hit| *hit);
        let hits = hits.count();
        assert!((900..1100).contains(&hits), "{hits}");
    }
}
