//! `concord compare`: agreement of finished exports of several raters, without any database.

mod text;

use std::{
    fs,
    io::{Write, stdout},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Args;
use domain::{ImportProblem, MatchBy, Measure, PolicyChoice, RatersFrom, Switches};
use services::{
    Clock,
    document::{
        comparison::{Compared, ComparingOptions, compare},
        export::ListFormat,
    },
};

use super::{
    Error,
    exit::{FILE_REFUSED, WRONG_USAGE, failed_all},
    files,
    output::refused_lines,
};

/// What stands below the options.
const BELOW: &str = "A rater is whom a file names; else its folder, if the files lie in several; \
                     else the file’s name. Documents are the same if their ids, their names or \
                     their texts are. Whoever has a document has judged all of it.\n\n\
                     Exit codes: 0 compared (a measure without a value is a result, too), 2 wrong \
                     usage, 3 the files are wrong or have fewer than two raters, 1 anything else.";

#[derive(Args)]
#[command(after_help = BELOW)]
pub(super) struct Compare {
    /// The files, or folders of them.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The measure of the pairs: kappa, alpha, pi, s, ac1, percent or f1.
    #[arg(long, default_value_t)]
    measure: Measure,
    /// Positions that only one of two marked: cleaned leaves them out, empty-label counts them
    /// with no label for the other.
    #[arg(long, default_value_t)]
    policy: PolicyChoice,
    /// What tells the raters where files name nobody: auto, file or folder.
    #[arg(long, default_value_t)]
    raters: RatersFrom,
    /// What tells that documents are the same: auto (id, else name, else text) or text.
    #[arg(long = "match", default_value_t)]
    match_by: MatchBy,
    /// Print JSON: everything that was understood and measured.
    #[arg(long)]
    json: bool,
    /// Write a report to this file, as one page of HTML.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Write every position on which raters differ to this file: .csv, .jsonl or .xlsx.
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
}

impl Compare {
    pub(super) fn run(self) -> Result<ExitCode, Error> {
        let list = match self.list.as_deref().map(list_format) {
            Some(None) => {
                return Ok(failed_all(WRONG_USAGE, &["--list takes a .csv, .jsonl or .xlsx file"]));
            }
            Some(Some(format)) => Some(format),
            None => None,
        };
        let switches =
            Switches { measure: self.measure, policy: self.policy, ..Switches::default() };
        let (raters_from, match_by) = (self.raters, self.match_by);
        let files = files::read(&self.files)?;
        let compared = match compare(
            files,
            ComparingOptions { switches, raters_from, match_by, most_unpacked: None },
        ) {
            Ok(compared) => compared,
            Err(problems) => return Ok(refused(&problems)),
        };
        if let Some((path, format)) = self.list.as_deref().zip(list) {
            write(path, &compared.list(format, usize::MAX)?.body)?;
        }
        if let Some(path) = &self.report {
            write(path, &compared.report(Clock::system().now(), None).body)?;
        }
        self.print(&compared)?;
        Ok(ExitCode::SUCCESS)
    }

    fn print(&self, compared: &Compared) -> Result<(), Error> {
        let view = compared.view(None);
        let text = if self.json {
            serde_json::to_string(&view).map_err(|error| Error::Terminal(error.into()))?
        } else {
            text::written(&view)
        };
        writeln!(stdout().lock(), "{text}")?;
        Ok(())
    }
}

/// The form of a list, by the file's name.
fn list_format(path: &Path) -> Option<ListFormat> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "csv" => Some(ListFormat::Csv),
        "jsonl" | "ndjson" => Some(ListFormat::JsonLines),
        "xlsx" => Some(ListFormat::Xlsx),
        _ => None,
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    fs::write(path, bytes).map_err(|source| Error::WriteFile { path: path.to_owned(), source })
}

/// Says what is wrong with the files, a line each.
fn refused(problems: &[ImportProblem]) -> ExitCode {
    failed_all(FILE_REFUSED, &refused_lines(problems))
}
