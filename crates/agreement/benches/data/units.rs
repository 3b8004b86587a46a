//! Generated continua: the same numbers on every machine.

use agreement::{Continuum, Unit};

/// A linear congruential generator: benchmarks need the same data, not good randomness.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// Units of 5 categories that each rater moves a little, calls otherwise one time in five and
/// leaves out one time in ten; no two of one rater overlap.
pub(crate) fn continuum(raters: usize, units: u64) -> Continuum<u64> {
    let mut numbers = Numbers(units);
    let mut marked = Vec::new();
    for place in 0..units {
        let (start, length) = (place * 20 + 3 + numbers.below(3), 5 + numbers.below(8));
        let category = numbers.below(5);
        for rater in 0..raters {
            if numbers.below(10) == 0 {
                continue;
            }
            let other = numbers.below(5) == 0;
            let category = if other { numbers.below(5) } else { category };
            let start = start + numbers.below(5) - 2;
            let length = length + numbers.below(3);
            marked.push(Unit { rater, start, length, category });
        }
    }
    Continuum::new(0, units * 20 + 20, raters, marked).unwrap()
}
