//! What a save costs: comparing a document, moving a pair's tally, reading its coefficients.

use std::collections::BTreeMap;

use agreement::{Contingency, PairTally, Policy, cohen_kappa, compare, krippendorff_alpha_nominal};
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

/// One rater's judgements of a document; raters with different seeds differ here and there.
fn judgements(positions: u64, categories: u64, seed: u64) -> BTreeMap<u64, u64> {
    (0..positions)
        .filter(|position| !(position + seed).is_multiple_of(11))
        .map(|position| {
            let slip = u64::from((position + seed).is_multiple_of(7));
            (position, (position * position + slip) % categories)
        })
        .collect()
}

fn tally(positions: u64, categories: u64) -> PairTally<u64> {
    let first = judgements(positions, categories, 1);
    let second = judgements(positions, categories, 5);
    compare(&first, &second, Policy::EmptyLabel, &categories)
}

fn table(categories: u64) -> Contingency<u64> {
    tally(100 * categories, categories).table
}

#[divan::bench(args = [10, 100, 1_000])]
fn compare_document(bencher: Bencher, positions: u64) {
    let (first, second) = (judgements(positions, 10, 1), judgements(positions, 10, 5));
    bencher.bench(|| compare(black_box(&first), black_box(&second), Policy::EmptyLabel, &10));
}

#[divan::bench(args = [10_000, 1_000_000])]
fn move_project_tally_by_one_document(bencher: Bencher, project_positions: u64) {
    let mut project = tally(project_positions, 20);
    let before = tally(200, 20);
    let after = tally(201, 20);
    project.merge(&before);
    bencher.bench_local(move || {
        let moved = project.subtract(black_box(&before));
        project.merge(black_box(&after));
        let moved_back = project.subtract(black_box(&after));
        project.merge(black_box(&before));
        (moved, moved_back)
    });
}

#[divan::bench(args = [2, 20, 200])]
fn kappa(bencher: Bencher, categories: u64) {
    let table = table(categories);
    bencher.bench(|| cohen_kappa(black_box(&table)));
}

#[divan::bench(args = [2, 20, 200])]
fn alpha(bencher: Bencher, categories: u64) {
    let table = table(categories);
    bencher.bench(|| krippendorff_alpha_nominal(black_box(&table)));
}
