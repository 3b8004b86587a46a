//! What measures over units cost, on generated continua of raters who mostly agree.
#![expect(clippy::unwrap_used, reason = "the generated continua are valid and have units")]

use std::hint::black_box;

use agreement::{Continuum, GammaOptions, GammaStudy, Unit, alpha_u, gamma_alignment, u_alpha};
use divan::Bencher;

fn main() {
    divan::main();
}

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
fn continuum(raters: usize, units: u64) -> Continuum<u64> {
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

#[divan::bench(args = [(2, 100), (2, 1_000), (2, 10_000), (5, 1_000), (5, 10_000)])]
fn alpha_u_1995(bencher: Bencher, (raters, units): (usize, u64)) {
    let continuum = continuum(raters, units);
    bencher.bench(|| alpha_u(black_box(&continuum)));
}

#[divan::bench(args = [(2, 100), (2, 1_000), (2, 10_000), (5, 1_000), (5, 10_000)])]
fn u_alpha_2016(bencher: Bencher, (raters, units): (usize, u64)) {
    let continuum = continuum(raters, units);
    bencher.bench(|| u_alpha(black_box(&continuum)));
}

#[divan::bench(
    args = [(2, 100), (2, 1_000), (2, 2_000), (3, 20), (3, 100), (3, 200), (4, 30), (5, 12), (5, 50)]
)]
fn best_alignment(bencher: Bencher, (raters, units): (usize, u64)) {
    let continuum = continuum(raters, units);
    bencher.bench(|| {
        gamma_alignment(black_box(&continuum), &GammaOptions::default()).unwrap().disorder
    });
}

#[divan::bench(
    args = [(2, 100), (2, 1_000), (2, 2_000), (3, 20), (3, 100), (3, 200), (4, 30), (5, 12), (5, 50)],
    sample_count = 10
)]
fn gamma_of_30_samples(bencher: Bencher, (raters, units): (usize, u64)) {
    let continuum = continuum(raters, units);
    let options = GammaOptions { most_samples: 30, ..GammaOptions::default() };
    bencher.bench(|| GammaStudy::new(black_box(&continuum), &options).unwrap().gamma());
}
