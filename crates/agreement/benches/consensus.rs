//! What it costs to learn from raters.
#![expect(clippy::unwrap_used, reason = "the generated studies are valid")]

#[path = "data/codes.rs"]
mod codes;

use agreement::consensus::{DawidSkene, HmmCrowd, Mace, Sequences, Votes, majority_vote};
use codes::{SHAPES, study};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

/// What is learned step by step; the last are as many items as 400 documents have tokens.
const LEARNED: [(usize, usize); 3] = [(5, 1_000), (10, 10_000), (47, 80_000)];

fn main() {
    divan::main();
}

#[divan::bench(args = SHAPES, sample_count = 3)]
fn majority(bencher: Bencher, (raters, items): (usize, usize)) {
    let votes = Votes::from(&study(raters, items));
    bencher
        .counter(ItemsCount::new(raters * items))
        .bench_local(|| majority_vote(black_box(&votes)).unwrap());
}

#[divan::bench(args = LEARNED, sample_count = 3)]
fn dawid_skene(bencher: Bencher, (raters, items): (usize, usize)) {
    let votes = Votes::from(&study(raters, items));
    bencher
        .counter(ItemsCount::new(raters * items))
        .bench_local(|| DawidSkene::default().fit(black_box(&votes)).unwrap());
}

#[divan::bench(args = LEARNED, sample_count = 1)]
fn mace(bencher: Bencher, (raters, items): (usize, usize)) {
    let votes = Votes::from(&study(raters, items));
    bencher
        .counter(ItemsCount::new(raters * items))
        .bench_local(|| Mace::default().fit(black_box(&votes)).unwrap());
}

/// In documents of 150 to 250 tokens.
#[divan::bench(args = LEARNED, sample_count = 1)]
fn hmm_crowd(bencher: Bencher, (raters, items): (usize, usize)) {
    let votes = Votes::from(&study(raters, items));
    let mut lengths = (150..=250).cycle();
    let documents =
        (0..).flat_map(|document| std::iter::repeat_n(document, lengths.next().unwrap()));
    let sequences = Sequences::of(documents.take(items));
    bencher.counter(ItemsCount::new(raters * items)).bench_local(|| {
        HmmCrowd::default().fit(black_box(&votes), &sequences, |_, _| true).unwrap()
    });
}
