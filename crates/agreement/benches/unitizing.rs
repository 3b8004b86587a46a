//! What measures over units cost, on generated continua of raters who mostly agree.
#![expect(clippy::unwrap_used, reason = "the generated continua are valid and have units")]

#[path = "data/units.rs"]
mod units;

use std::hint::black_box;

use agreement::{GammaOptions, GammaStudy, alpha_u, gamma_alignment, u_alpha};
use divan::Bencher;
use units::continuum;

fn main() {
    divan::main();
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
