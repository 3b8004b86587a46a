//! Whole files, from bytes to report.
#![expect(
    clippy::format_collect,
    clippy::format_push_string,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "files are made in plain sight, and a test that panics has failed"
)]

mod cases;
mod consensus;
mod gold;
mod html;
mod json;
mod laws;
mod malformed;
mod predictions;
mod published;
mod reading;
mod sequences;
mod stand_in;
mod text;

use study::command::{Options, Output, run};
use study::read::{self, Study};
use study::report::Report;
use study::{Error, report};

/// Measures a file with everything detected, in few resamples.
fn measure(file: &str) -> Report {
    measure_with(file, |_| ())
}

fn measure_with(file: &str, change: impl FnOnce(&mut Options)) -> Report {
    let mut options = Options {
        report: report::Options { resamples: Some(50), ..report::Options::default() },
        ..Options::default()
    };
    change(&mut options);
    let outcome = run(&options, file.as_bytes(), std::io::sink(), |_| ());
    outcome.unwrap_or_else(|error| panic!("{error}\n{file}")).report
}

/// What is printed of it.
fn printed(file: &str, change: impl FnOnce(&mut Options)) -> String {
    let mut options = Options { output: Output::default(), ..Options::default() };
    change(&mut options);
    let mut out = Vec::new();
    run(&options, file.as_bytes(), &mut out, |_| ()).unwrap();
    String::from_utf8(out).unwrap()
}

fn understood(file: &str, options: &read::Options) -> Study {
    read::read(file.as_bytes(), options, |_| ()).unwrap_or_else(|error| panic!("{error}\n{file}"))
}

fn refusal(file: impl AsRef<[u8]>, options: &read::Options) -> String {
    match read::read(file.as_ref(), options, |_| ()) {
        Ok(study) => panic!("taken as {:?}", study.understood),
        Err(error @ (Error::Refused(_) | Error::Misuse(_))) => error.to_string(),
        Err(error) => panic!("{error}"),
    }
}

/// A value to so many decimals.
fn rounded(report: &Report, id: &str, decimals: usize) -> String {
    let measure = report.measure(id).unwrap_or_else(|| panic!("no {id}"));
    match (measure.value, &measure.undefined) {
        (Some(value), None) => format!("{value:.decimals$}"),
        (None, Some(reason)) => reason.code.clone(),
        _ => panic!("{measure:?}"),
    }
}

fn words(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}
