//! What measures of many raters cost: counted from scratch, and after one change.
#![expect(clippy::unwrap_used, reason = "the generated studies are valid")]

#[path = "data/codes.rs"]
mod codes;

use agreement::inference::{NominalUnits, Resampling};
use agreement::{
    CoincidenceTally, Contingency, Interval, Item, NominalTally, alpha_nominal, fleiss_kappa,
    krippendorff_alpha,
};
use codes::{SHAPES, study};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

#[divan::bench(args = SHAPES, sample_count = 10)]
fn alpha_and_fleiss(bencher: Bencher, (raters, items): (usize, usize)) {
    let study = study(raters, items);
    bencher.counter(ItemsCount::new(raters * items)).bench_local(|| {
        let tally = black_box(&study).nominal_tally();
        (alpha_nominal(&tally).unwrap(), fleiss_kappa(&tally).unwrap())
    });
}

#[divan::bench(args = SHAPES, sample_count = 10)]
fn alpha_of_intervals(bencher: Bencher, (raters, items): (usize, usize)) {
    let study = study(raters, items);
    bencher
        .counter(ItemsCount::new(raters * items))
        .bench_local(|| krippendorff_alpha(&black_box(&study).coincidences(), &Interval).unwrap());
}

#[divan::bench(args = [(10, 10_000), (50, 10_000)], sample_count = 3)]
fn bootstrap_alpha_1000_times(bencher: Bencher, (raters, items): (usize, usize)) {
    let units = NominalUnits::items(&study(raters, items)).unwrap();
    let resampling = Resampling { resamples: 1_000, seed: 1 };
    bencher.bench_local(|| {
        black_box(&units).bootstrap(resampling, |tally| Ok(alpha_nominal(tally)?.value)).unwrap()
    });
}

#[divan::bench(args = [(10, 10_000), (20, 100_000)], sample_count = 3)]
fn bootstrap_alpha_1000_times_by_document(bencher: Bencher, (raters, items): (usize, usize)) {
    let study = study(raters, items);
    let every_100: Vec<usize> = (0..items).collect();
    let document = |items: &[usize]| study.with_items(items).unwrap().nominal_tally();
    let documents: Vec<NominalTally<u32>> = every_100.chunks(100).map(document).collect();
    let units = NominalUnits::documents(&documents).unwrap();
    let resampling = Resampling { resamples: 1_000, seed: 1 };
    bencher.bench_local(|| {
        black_box(&units).bootstrap(resampling, |tally| Ok(alpha_nominal(tally)?.value)).unwrap()
    });
}

/// An item of so many raters before and after one of them changed her mind.
fn change(raters: u32) -> [Item<u32>; 2] {
    let ratings =
        |changed: u32| (0..raters).map(move |rater| if rater > 0 { rater % 3 } else { changed });
    [ratings(0).collect(), ratings(4).collect()]
}

#[divan::bench(args = [2, 20, 100])]
fn replace_in_nominal_tally(bencher: Bencher, raters: u32) {
    let mut tally: NominalTally<u32> =
        study(usize::try_from(raters).unwrap(), 10_000).nominal_tally();
    let [before, after] = change(raters);
    tally.add(&before).unwrap();
    bencher.counter(ItemsCount::new(2_u32)).bench_local(move || {
        tally.replace(black_box(&before), black_box(&after)).unwrap();
        tally.replace(black_box(&after), black_box(&before)).unwrap();
    });
}

#[divan::bench(args = [2, 20, 100])]
fn replace_in_coincidences(bencher: Bencher, raters: u32) {
    let study = study(usize::try_from(raters).unwrap(), 10_000);
    let mut tally: CoincidenceTally<u32> = study.coincidences();
    let [before, after] = change(raters);
    tally.add(&before).unwrap();
    bencher.counter(ItemsCount::new(2_u32)).bench_local(move || {
        tally.replace(black_box(&before), black_box(&after)).unwrap();
        tally.replace(black_box(&after), black_box(&before)).unwrap();
    });
}

#[divan::bench]
fn replace_in_contingency(bencher: Bencher) {
    let mut table: Contingency<u32> = study(2, 10_000).contingency(0, 1);
    table.add(0, 0);
    bencher.counter(ItemsCount::new(2_u32)).bench_local(move || {
        table.remove(&0, &0).unwrap();
        table.add(0, black_box(4));
        table.remove(&0, &4).unwrap();
        table.add(0, black_box(0));
    });
}
