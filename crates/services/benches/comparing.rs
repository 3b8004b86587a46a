//! What comparing two files of many documents takes, which is to be near-linear: twice 100,000 documents in
//! less than two seconds, without intervals.

#![expect(clippy::expect_used, reason = "a benchmark that cannot be set up has nothing to say")]

use std::{fmt::Write as _, time::Instant};

use divan::Bencher;
use services::document::{
    comparison::{ComparingOptions, compare},
    import::UploadedFile,
};

fn main() {
    divan::main();
}

/// How the documents of two files are known to be the same.
#[derive(Clone, Copy, Debug)]
enum Known {
    ById,
    ByName,
    ByText,
    /// By nothing: all have the same text.
    InOrder,
}

/// A file of so many documents, each with one span.
fn file(rater: &str, documents: usize, known: Known) -> UploadedFile {
    let mut lines = String::new();
    for number in 0..documents {
        let (id, name, text) = match known {
            Known::ById => (format!("{number}"), format!("{rater} {number}"), number),
            Known::ByName => (format!("{rater}-{number}"), format!("document {number}"), number),
            Known::ByText => (format!("{rater}-{number}"), format!("{rater} {number}"), number),
            Known::InOrder => (format!("{rater}-{number}"), format!("{rater} {number}"), 0),
        };
        let label = if number % 3 == 0 { "PER" } else { "LOC" };
        writeln!(
            lines,
            r#"{{"id": "{id}", "name": "{name}", "text": "Gil met Hal {text}.", "spans": [{{"start": 0, "end": 3, "label": "{label}"}}]}}"#
        )
        .expect("a string takes it");
    }
    UploadedFile { name: format!("{rater}.jsonl"), bytes: lines.into_bytes() }
}

#[divan::bench(
    args = [
        (Known::ByName, 20_000), (Known::ByName, 50_000), (Known::ByName, 100_000),
        (Known::ById, 100_000), (Known::ByText, 100_000), (Known::InOrder, 100_000),
    ],
    sample_count = 3,
    sample_size = 1,
)]
fn comparing(bencher: Bencher<'_, '_>, (known, documents): (Known, usize)) {
    let files = || ["ana", "bo"].map(|rater| file(rater, documents, known)).into();
    bencher.with_inputs(files).bench_values(|files: Vec<_>| {
        let compared = compare(files, ComparingOptions::default());
        compared.map(|compared| compared.view(Some(Instant::now()))).expect("they can be compared")
    });
}

/// The same with the intervals, each of a thousand resamples.
#[divan::bench(sample_count = 1, sample_size = 1)]
fn comparing_with_intervals(bencher: Bencher<'_, '_>) {
    let files = || ["ana", "bo"].map(|rater| file(rater, 100_000, Known::ByName)).into();
    bencher.with_inputs(files).bench_values(|files: Vec<_>| {
        let compared = compare(files, ComparingOptions::default());
        compared.map(|compared| compared.view(None)).expect("they can be compared")
    });
}
