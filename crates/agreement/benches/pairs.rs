//! Matrices of all pairs of raters, beside the time it takes to read their columns.
#![expect(clippy::unwrap_used, reason = "the generated studies are valid")]

#[path = "data/codes.rs"]
mod codes;

use agreement::{NominalPairs, Ratings, cohen_kappa, pairwise};
use codes::{SHAPES, codes, study};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

fn pairs(raters: usize) -> usize {
    raters * (raters - 1) / 2
}

/// Kappa and alpha of every two raters.
#[divan::bench(args = SHAPES, sample_count = 20)]
fn kappa_and_alpha_of_all_pairs(bencher: Bencher, (raters, items): (usize, usize)) {
    let study = study(raters, items);
    bencher.counter(ItemsCount::new(pairs(raters) * items)).bench_local(|| {
        let pairs = NominalPairs::of(black_box(&study));
        (pairs.cohen_kappa(), pairs.krippendorff_alpha())
    });
}

/// The bound: what it takes to add up the bytes of both columns of every pair.
#[divan::bench(args = SHAPES, sample_count = 20)]
fn reading_both_columns_of_all_pairs(bencher: Bencher, (raters, items): (usize, usize)) {
    let codes: Vec<u8> =
        codes(raters, items).iter().map(|&code| u8::try_from(code).unwrap_or(u8::MAX)).collect();
    let columns: Vec<&[u8]> = codes.chunks(items).collect();
    bencher.counter(ItemsCount::new(pairs(raters) * items)).bench_local(|| {
        let read = |column: &[u8]| {
            black_box(column).iter().fold(0_u8, |sum, &code| sum.wrapping_add(code))
        };
        let mut sum = 0_u8;
        for (index, first) in columns.iter().enumerate() {
            for second in columns.iter().skip(index + 1) {
                sum = sum.wrapping_add(read(first)).wrapping_add(read(second));
            }
        }
        sum
    });
}

/// Any measure of the whole contingency table of every two raters.
#[divan::bench(args = SHAPES, sample_count = 3)]
fn tables_of_all_pairs(bencher: Bencher, (raters, items): (usize, usize)) {
    let study = study(raters, items);
    bencher
        .counter(ItemsCount::new(pairs(raters) * items))
        .bench_local(|| pairwise(black_box(&study), cohen_kappa));
}

/// Columns of small integers from rows of categories.
#[divan::bench(args = [(20, 50_000)], sample_count = 5)]
fn reading_a_million_ratings(bencher: Bencher, (raters, items): (usize, usize)) {
    let study = study(raters, items);
    let rows: Vec<Vec<Option<u32>>> =
        (0..items).map(|item| study.item(item).map(Option::<&u32>::copied).collect()).collect();
    bencher.bench_local(|| Ratings::from_rows(black_box(&rows).iter().map(|r| r.iter().copied())));
}
