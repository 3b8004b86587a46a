//! The whole way from a file to its report: what `concord measure` does.

use std::io::{BufRead, ErrorKind, Write};

use crate::predictions::PredictionFile;
use crate::report::{Report, Style};
use crate::{Error, Problem, Refusal, predictions, read, report};

/// What to read, what to measure, and how to write it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// What is known about the file.
    pub read: read::Options,
    /// How to measure.
    pub report: report::Options,
    /// What is predicted of the study, such as by models.
    pub predictions: Vec<PredictionFile>,
    /// What to write.
    pub output: Output,
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Plain text for people.
    Text(Style),
    /// The [`Report`] as JSON.
    Json,
    /// A file for browsers and paper.
    Html,
}

impl Default for Output {
    fn default() -> Self {
        Self::Text(Style::default())
    }
}

/// How far it got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// So many bytes were read.
    Read(u64),
    /// So many resamples were measured.
    Measured {
        /// How many.
        done: u64,
        /// Of how many.
        of: u64,
    },
}

/// What was done.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyRun {
    /// What was written.
    pub report: Report,
    /// Whether all of it was taken. Whoever reads a pipe may have seen enough, which is no error.
    pub taken: bool,
}

/// The ways to read a table that is refused because there are several, as JSON: a list of objects with
/// `reading`, `options` (pairs of name and value) and `preview`.
pub fn choices(options: &Options, input: impl BufRead) -> Option<String> {
    match read::read(input, &options.read, |_| ()) {
        Err(Error::Refused(Refusal { problem: Problem::Ambiguous(choices), .. })) => {
            serde_json::to_string(&choices).ok()
        }
        _ => None,
    }
}

/// Reads a study, measures it and writes the report.
pub fn run(
    options: &Options,
    input: impl BufRead,
    mut out: impl Write,
    mut progress: impl FnMut(Progress),
) -> Result<StudyRun, Error> {
    let asked = &options.report;
    let item_names = asked.all_diagnostics
        || asked.consensus.is_some()
        || !options.predictions.is_empty()
        || asked.diagnostics.iter().any(|one| one.names_items());
    let reading = read::Options { item_names, ..options.read.clone() };
    let study = read::read(input, &reading, |bytes| progress(Progress::Read(bytes)))?;
    let files = options.predictions.iter();
    let predicted: Vec<_> =
        files.map(|file| predictions::read(file, &study)).collect::<Result<_, _>>()?;
    let mut report = Report::of(&study, &options.report, |done, of| {
        progress(Progress::Measured { done, of });
    })?;
    for (file, found) in options.predictions.iter().zip(&predicted) {
        report.add_predictions(&study, (&file.name, found), &options.report)?;
    }
    let written = match options.output {
        Output::Text(style) => report.print(&mut out, style),
        Output::Json => serde_json::to_writer_pretty(&mut out, &report)
            .map_err(std::io::Error::from)
            .and_then(|()| writeln!(out)),
        Output::Html => report.write_html(&mut out),
    };
    match written.and_then(|()| out.flush()) {
        Ok(()) => Ok(StudyRun { report, taken: true }),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {
            Ok(StudyRun { report, taken: false })
        }
        Err(error) => Err(Error::Write(error)),
    }
}
