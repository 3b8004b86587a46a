//! Chance that repeats itself: the same seed gives the same demo on every machine.

use agreement::SplitMix64;

/// Good enough for a demo; not for secrets.
pub(super) struct Dice(SplitMix64);

impl Dice {
    /// Dice that always fall the same way for the same numbers.
    pub(super) fn new(seeds: impl IntoIterator<Item = u64>) -> Self {
        let start = SplitMix64::new(0x636f_6e63_6f72_6400);
        Self(seeds.into_iter().fold(start, |mut dice, seed| SplitMix64::new(dice.draw() ^ seed)))
    }

    /// True this many times in a thousand.
    pub(super) fn chance(&mut self, per_mille: u64) -> bool {
        self.0.draw() % 1000 < per_mille
    }

    /// One of the items; none if there are none.
    pub(super) fn pick<'items, T>(&mut self, items: &'items [T]) -> Option<&'items T> {
        let items_count = u64::try_from(items.len()).ok().filter(|count| *count > 0)?;
        items.get(usize::try_from(self.0.draw() % items_count).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seeds_fall_the_same_way_and_others_do_not() {
        let throw = |seeds: [u64; 2]| {
            let mut dice = Dice::new(seeds);
            std::iter::repeat_with(move || dice.0.draw()).take(4).collect::<Vec<_>>()
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
