//! Generated studies: the same numbers on every machine.

use agreement::{MISSING, Ratings, SplitMix64};

pub(crate) struct Numbers(SplitMix64);

impl Numbers {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0.draw() % bound
    }
}

/// The shapes of the pairwise matrices: raters and items.
pub(crate) const SHAPES: [(usize, usize); 4] =
    [(10, 10_000), (50, 10_000), (20, 100_000), (100, 100_000)];

pub(crate) const CATEGORIES: u32 = 10;

/// Codes rater by rater: one rating in five is missing, and of the others seven in ten are the
/// item's own category.
pub(crate) fn codes(raters: usize, items: usize) -> Vec<u32> {
    let mut numbers = Numbers::new(1);
    let mut category = || u32::try_from(numbers.below(u64::from(CATEGORIES))).unwrap();
    let own: Vec<u32> = (0..items).map(|_| category()).collect();
    let mut numbers = Numbers::new(2);
    let mut rating = |own: u32| match numbers.below(50) {
        0..10 => MISSING,
        10..38 => own,
        _ => u32::try_from(numbers.below(u64::from(CATEGORIES))).unwrap(),
    };
    (0..raters).flat_map(|_| own.iter().map(|&own| rating(own)).collect::<Vec<_>>()).collect()
}

pub(crate) fn study(raters: usize, items: usize) -> Ratings<u32> {
    Ratings::from_codes((0..CATEGORIES).collect(), raters, codes(raters, items)).unwrap()
}
