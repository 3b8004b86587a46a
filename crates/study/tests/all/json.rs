//! The report as JSON: what goes out comes in again.

use std::io::{self, Write};

use study::command::{Options, Output, run};
use study::read::Level;
use study::report::{ConsensusMethod, Diagnostic, Report};

use crate::published::FOUR_OBSERVERS;

fn json(file: &str, change: impl FnOnce(&mut Options)) -> (Report, String) {
    let mut options = Options { output: Output::Json, ..Options::default() };
    options.report.resamples = Some(20);
    change(&mut options);
    let mut out = Vec::new();
    let outcome = run(&options, file.as_bytes(), &mut out, |_| ()).unwrap();
    (outcome.report, String::from_utf8(out).unwrap())
}

#[test]
fn every_report_comes_back_as_it_was() {
    let all: Vec<Diagnostic> =
        Diagnostic::ALL.iter().copied().filter(|d| *d != Diagnostic::Continuum).collect();
    for (level, method) in Level::ALL.iter().zip(ConsensusMethod::ALL.iter().copied().cycle()) {
        let (report, text) = json(FOUR_OBSERVERS, |options| {
            options.read.level = *level;
            options.report.diagnostics.clone_from(&all);
            options.report.consensus = Some(method);
            options.read.sequence = method.needs_sequences().then(|| "unit".to_owned());
            options.report.gold = Some("C".to_owned());
            options.report.stand_in = Some("D".to_owned());
        });
        assert_eq!(serde_json::from_str::<Report>(&text).unwrap(), report);
    }
    let (report, text) = json("A,B\nx,x\nx,x\n", |_| ());
    assert_eq!(serde_json::from_str::<Report>(&text).unwrap(), report);
    let file = "rater,start,end,label\nAnn,0,5,x\nBob,1,5,x\n";
    let (report, text) = json(file, |options| {
        options.report.diagnostics = vec![Diagnostic::Continuum];
    });
    assert_eq!(serde_json::from_str::<Report>(&text).unwrap(), report);
}

#[test]
fn the_format_is_versioned_and_undefined_is_null_with_a_reason() {
    let (_, text) = json("A,B\nx,x\nx,x\n", |_| ());
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["format"], "concord-measure");
    assert_eq!(value["version"], 1);
    let measures = value["measures"].as_array().unwrap();
    let kappa = measures.iter().find(|measure| measure["id"] == "cohen_kappa").unwrap();
    assert!(kappa["value"].is_null());
    assert_eq!(kappa["undefined"]["code"], "OneCategory");
}

#[test]
fn the_same_seed_gives_the_same_report() {
    let with = |seed| json(FOUR_OBSERVERS, |options| options.report.seed = seed).1;
    assert_eq!(with(3), with(3));
    assert_ne!(with(3), with(4));
}

/// A pipe whose reader has gone.
struct Broken;

impl Write for Broken {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_reader_who_has_seen_enough_is_no_error() {
    for output in [Output::Json, Output::default()] {
        let options = Options { output, ..Options::default() };
        let outcome = run(&options, "A,B\nx,y\ny,y\n".as_bytes(), Broken, |_| ()).unwrap();
        assert!(!outcome.taken);
    }
}
