//! What it costs to read and to measure a million ratings.
#![expect(clippy::unwrap_used, reason = "the generated tables are right")]

use std::fmt::Write;

use divan::Bencher;
use divan::counter::BytesCount;
use study::command::{self, run};
use study::read::{Options, read};

fn main() {
    divan::main();
}

/// A table of half a million items that two raters put into five categories, mostly the same.
fn wide() -> String {
    let (mut file, mut state) = (String::from("item,Ann,Bob\n"), 1_u64);
    for item in 0..500_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let first = (state >> 33) % 5;
        let second = if (state >> 40) % 4 == 0 { (state >> 50) % 5 } else { first };
        writeln!(file, "{item},c{first},c{second}").unwrap();
    }
    file
}

/// The same with a line for each rating.
fn long() -> String {
    let mut file = String::from("item,rater,category\n");
    for line in wide().lines().skip(1) {
        let mut fields = line.split(',');
        let item = fields.next().unwrap();
        for (rater, category) in ["Ann", "Bob"].iter().zip(fields) {
            writeln!(file, "{item},{rater},{category}").unwrap();
        }
    }
    file
}

#[divan::bench(sample_count = 10)]
fn read_wide(bencher: Bencher<'_, '_>) {
    let file = wide();
    bencher
        .counter(BytesCount::of_str(&file))
        .bench(|| read(file.as_bytes(), &Options::default(), |_| ()).unwrap());
}

#[divan::bench(sample_count = 10)]
fn read_long(bencher: Bencher<'_, '_>) {
    let file = long();
    bencher
        .counter(BytesCount::of_str(&file))
        .bench(|| read(file.as_bytes(), &Options::default(), |_| ()).unwrap());
}

#[divan::bench(sample_count = 5)]
fn read_and_measure(bencher: Bencher<'_, '_>) {
    let file = wide();
    let options = command::Options::default();
    bencher.bench(|| run(&options, file.as_bytes(), std::io::sink(), |_| ()).unwrap());
}
