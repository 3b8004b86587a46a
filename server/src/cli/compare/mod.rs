//! `concord compare`: agreement of finished exports of several raters, without any database.

mod text;

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Args;
use domain::{ImportProblem, MatchBy, Measure, PolicyChoice, RatersFrom, Switches};
use services::{
    Clock,
    document::{
        comparison::{Compared, ComparingOptions, MAX_RATERS, compare},
        export::ListFormat,
    },
};

use super::{
    Error,
    base::{
        exit::{FILE_REFUSED, WRONG_USAGE, failed_all},
        files,
        options::{pairs, raters},
        output::{refused_lines, say},
        reading::Reading,
    },
};

/// What stands below the options.
const BELOW: &str = "Rater names come from the files, otherwise from the level of folders, or the \
                    file names, between which documents repeat; if that is not clear, choose with \
                    --raters. Documents match by id, name or text. Whoever has a document has judged \
                    all of it.\n\n\
                    Exit codes: 0 compared (a measure without a value is a result, too), 2 wrong \
                    usage, 3 wrong files or fewer than two raters, 1 anything else.";

#[derive(Args)]
#[command(after_help = BELOW)]
pub(super) struct Compare {
    /// Files or folders.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Measure of pairs: kappa, alpha, pi, s, ac1, percent or f1.
    #[arg(long, default_value_t, value_parser = of_labels)]
    measure: Measure,
    /// What is compared: cleaned leaves out positions marked by only one, empty-label counts them with
    /// no label for the other, token compares each token, overlap pairs spans that overlap.
    #[arg(long, default_value_t)]
    policy: PolicyChoice,
    /// Where rater names come from if files name nobody: auto, file, folder, folder:LEVEL (counted
    /// from the outermost in which files differ), inside (only from the files), or pattern:REGEX
    /// with a group (?<rater>…) and, if you like, (?<document>…), for the path.
    #[arg(long, default_value_t, value_parser = raters)]
    raters: RatersFrom,
    /// Leave a rater out. Repeatable.
    #[arg(long, value_name = "NAME")]
    leave_out: Vec<String>,
    /// Count a label as another: LABEL=LABEL, or LABEL= to leave it out. Repeatable.
    #[arg(long, value_name = "LABEL=LABEL")]
    map_label: Vec<String>,
    /// Compare at most so many raters.
    #[arg(long, value_name = "NUMBER", default_value_t = MAX_RATERS)]
    max_raters: usize,
    #[command(flatten)]
    reading: Reading,
    /// How documents are matched: auto (id, otherwise name, otherwise text) or text.
    #[arg(long = "match", default_value_t)]
    match_by: MatchBy,
    /// Print JSON: everything that was understood and measured.
    #[arg(long)]
    json: bool,
    /// Write an HTML report to this file.
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
                return Ok(failed_all(WRONG_USAGE, &["--list needs a .csv, .jsonl or .xlsx file"]));
            }
            Some(Some(format)) => Some(format),
            None => None,
        };
        let switches =
            Switches { measure: self.measure, policy: self.policy, ..Switches::default() };
        let label = |_: &str, to: &str| (!to.is_empty()).then(|| to.to_owned());
        let options = ComparingOptions {
            files: self.reading.options(),
            switches,
            raters_from: self.raters.clone(),
            match_by: self.match_by,
            leave_out: self.leave_out.iter().cloned().collect(),
            labels: pairs("--map-label", &self.map_label, label)?,
            most_raters: Some(self.max_raters),
            most_unpacked: None,
        };
        let compared = match compare(files::read(&self.files)?, options) {
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
        Ok(say(&text)?)
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

/// A measure that labels have: they are in no order.
fn of_labels(text: &str) -> Result<Measure, domain::Error> {
    let measure: Measure = text.parse()?;
    if measure.is_graded() {
        let why = "labels have no order: kappa, alpha, pi, s, ac1, percent or f1";
        return Err(domain::Code::Unsuitable.of("measure", why));
    }
    Ok(measure)
}
