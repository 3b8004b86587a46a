//! What intervals cost: resampling of pair tables and of many raters, and true agreement.

use agreement::inference::{
    Binary, Level, PairUnits, Resampling, TwoSided, bootstrap, cohen_kappa_estimate,
    conservative_interval, homogeneity_interval,
};
use agreement::{Contingency, cohen_kappa, krippendorff_alpha_nominal};
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

const RESAMPLING: Resampling = Resampling { resamples: 1_000, seed: 1 };

/// Two raters and ten categories; every fifth judgement slips.
fn judgements(items: u64) -> Vec<(u64, u64)> {
    (0..items)
        .map(|item| {
            let category = (item * item + item / 7) % 10;
            (category, (category + u64::from(item % 5 == 0)) % 10)
        })
        .collect()
}

fn table(items: u64) -> Contingency<u64> {
    judgements(items).into_iter().collect()
}

#[divan::bench(args = [10_000])]
fn bootstrap_kappa_by_item(bencher: Bencher, items: u64) {
    let units = PairUnits::items(&table(items));
    bencher.bench(|| black_box(&units).bootstrap(RESAMPLING, |t| Ok(cohen_kappa(t)?.value)));
}

#[divan::bench(args = [10_000])]
fn bootstrap_alpha_by_item(bencher: Bencher, items: u64) {
    let units = PairUnits::items(&table(items));
    bencher.bench(|| {
        black_box(&units).bootstrap(RESAMPLING, |t| Ok(krippendorff_alpha_nominal(t)?.value))
    });
}

#[divan::bench(args = [10_000])]
fn bootstrap_kappa_by_document_of_100_items(bencher: Bencher, items: u64) {
    let documents: Vec<Contingency<u64>> =
        judgements(items).chunks(100).map(|chunk| chunk.iter().copied().collect()).collect();
    let units = PairUnits::documents(&documents);
    bencher.bench(|| black_box(&units).bootstrap(RESAMPLING, |t| Ok(cohen_kappa(t)?.value)));
}

#[divan::bench(args = [10_000])]
fn bootstrap_any_statistic(bencher: Bencher, items: u64) {
    let agree: Vec<bool> = judgements(items).iter().map(|(row, column)| row == column).collect();
    bencher.bench(|| {
        bootstrap(agree.len(), RESAMPLING, |times| {
            let agreeing: u32 = agree.iter().zip(times).map(|(&a, &n)| u32::from(a) * n).sum();
            Ok(f64::from(agreeing))
        })
    });
}

#[divan::bench(args = [10_000])]
fn jackknife_kappa_by_item(bencher: Bencher, items: u64) {
    let units = PairUnits::items(&table(items));
    bencher.bench(|| black_box(&units).jackknife(|t| Ok(cohen_kappa(t)?.value)));
}

#[divan::bench(args = [10_000])]
fn standard_error_of_kappa(bencher: Bencher, items: u64) {
    let table = table(items);
    bencher.bench(|| cohen_kappa_estimate(black_box(&table)));
}

fn binary(n: u64) -> Binary {
    let part = n / 20;
    Binary { both: 4 * part, only_row: part, only_column: 2 * part, neither: 13 * part }
}

#[divan::bench(args = [1_000, 100_000, 1_000_000])]
fn homogeneity(bencher: Bencher, n: u64) {
    let table = binary(n);
    bencher.bench(|| homogeneity_interval(black_box(&table), Level::P95, TwoSided::DoubledTail));
}

#[divan::bench(args = [1_000, 100_000])]
fn conservative(bencher: Bencher, n: u64) {
    let table = binary(n);
    bencher.bench(|| conservative_interval(black_box(&table), Level::P95, TwoSided::DoubledTail));
}
