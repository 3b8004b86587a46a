//! `concord measure`: agreement of a study in a file, without any database.

use std::{
    fs::{self, File},
    io::{self, BufReader, BufWriter, IsTerminal, Read, Write, stdin, stdout},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Args;
use study::{
    command::{Options, Output, Progress, run},
    fields::continuum,
    predictions::PredictionFile,
    read::{self, Delimiter, Extent, Form, Level, Missing},
    report::{self, Annotators, ConsensusMethod, Style},
};

use super::{
    Error,
    base::{
        bar::Bar,
        exit::{FILE_REFUSED, WRONG_USAGE, failed},
    },
};

/// Bytes that are read at once.
const BUFFER: usize = 1 << 16;

/// What stands below the options.
const EXIT_CODES: &str = "Exit codes: 0 measured (a measure without a value is a result, too), \
                          2 wrong usage, 3 the file is wrong, 1 anything else.";

#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
#[derive(Args)]
#[command(after_help = EXIT_CODES)]
pub(super) struct Measure {
    /// File; `-`, or nothing with piped input, for standard input.
    file: Option<PathBuf>,
    /// Print JSON: everything that was understood and measured.
    #[arg(long)]
    json: bool,
    /// Print the report as one HTML page.
    #[arg(long, conflicts_with = "json")]
    html: bool,
    /// Raters to compare: columns of a wide table by name, number or range, such as `a,b,3-5`;
    /// otherwise names of raters.
    #[arg(long, value_delimiter = ',')]
    raters: Vec<String>,
    /// Columns of item, rater and category of a long table, or of rater, start, length or end, and
    /// category of units: names or numbers.
    #[arg(long, value_delimiter = ',')]
    columns: Vec<String>,
    /// Column that says which sequence an item belongs to, such as a sentence or a document: name or number. Its
    /// items follow each other in the order of the file.
    #[arg(long, value_name = "COLUMN")]
    sequence: Option<String>,
    /// Separator: comma, semicolon, tab, pipe or blank. Default: detected.
    #[arg(long)]
    delimiter: Option<Delimiter>,
    /// The first line holds column names. Default: detected.
    #[arg(long, conflicts_with = "no_header")]
    header: bool,
    /// The first line holds data.
    #[arg(long)]
    no_header: bool,
    /// wide (one line per item), long (one line per rating), rows (one line per rater), contingency
    /// (counts of two raters), counts (items by categories) or frequencies (labels and how often).
    /// Default: detected.
    #[arg(long)]
    form: Option<Form>,
    /// The file holds units on a continuum, one per line; the second number is their `length` or
    /// `end`.
    #[arg(long, value_name = "length|end", num_args = 0..=1, require_equals = true)]
    #[expect(clippy::option_option, reason = "an option that may come with a value or without")]
    units: Option<Option<Extent>>,
    /// Start and end of the continuum, such as `0-5000`. Default: from 0 to the end of the last
    /// unit.
    #[arg(long, value_parser = continuum, value_name = "BEGIN-END")]
    continuum: Option<(u64, u64)>,
    /// Level of measurement: nominal, ordinal, interval or ratio.
    #[arg(long, default_value = "nominal")]
    level: Level,
    /// Categories in order, used or not. Default: those that occur.
    #[arg(long, value_delimiter = ',')]
    categories: Vec<String>,
    /// Values for a missing rating, in addition to empty cells and the usual ones such as NA; in
    /// place of the usual ones with `=` before the first, such as `=NA,-`. Case is ignored.
    #[arg(long, value_delimiter = ',')]
    missing: Vec<String>,
    /// Refuse a file that there is a warning about.
    #[arg(long)]
    strict: bool,
    /// Only these measures, by their ids in --json.
    #[arg(long, value_delimiter = ',')]
    measures: Vec<String>,
    /// What is probably true of each item, and how far raters are to be trusted: majority,
    /// dawid-skene, mace, or hmm-crowd for items in sequences. Together with --gold, also how right each
    /// of these ways is.
    #[arg(long)]
    consensus: Option<ConsensusMethod>,
    /// Rater who is right, such as a reviewer: precision, recall and F1 of all others by label, and which of two is
    /// better.
    #[arg(long, value_name = "RATER")]
    gold: Option<String>,
    /// Rater, such as a model, who is tested as a stand-in for the others: the alternative annotator
    /// test.
    #[arg(long, value_name = "RATER")]
    stand_in: Option<String>,
    /// The others are experts, skilled or a crowd: a stand-in may do worse by 0.2, 0.15 or 0.1.
    /// Default: crowd.
    #[arg(long)]
    annotators: Option<Annotators>,
    /// File of predictions, such as of a model, to hold against the raters: item, category and probability, or
    /// item, rater and category; also JSON Lines. Repeatable.
    #[arg(long, value_name = "FILE")]
    predictions: Vec<PathBuf>,
    /// Details to show: contingency, coincidence, reliability, weights, categories, items, raters,
    /// pairs, prevalence, confusions, continuum, or all.
    #[arg(long, value_delimiter = ',')]
    diagnostics: Vec<String>,
    /// Maximum number of items and confusions listed.
    #[arg(long, default_value_t = 20)]
    top: usize,
    /// How often an interval should contain the true value.
    #[arg(long, default_value_t = 0.95)]
    confidence: f64,
    /// Resamples where no formula gives an interval. Default: 1000, fewer for slow measures.
    #[arg(long)]
    resamples: Option<u32>,
    /// Seed of random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Measure {
    pub(super) fn run(self) -> Result<ExitCode, Error> {
        let (name, file) = match self.file.as_deref() {
            Some(path) if path != Path::new("-") => {
                let open = |source| Error::StudyFile { path: path.to_owned(), source };
                (path.display().to_string(), Some(File::open(path).map_err(open)?))
            }
            None if stdin().is_terminal() => {
                return Ok(failed(WRONG_USAGE, "name a file (- for standard input)"));
            }
            _ => ("standard input".to_owned(), None),
        };
        let predictions =
            self.predictions.iter().map(|path| prediction_file(path)).collect::<Result<_, _>>()?;
        let total = file.as_ref().and_then(|file| file.metadata().ok()).map(|about| about.len());
        let input: Box<dyn Read> = match file {
            Some(file) => Box::new(file),
            None => Box::new(stdin().lock()),
        };
        let options = match self.options() {
            Ok(options) => Options { predictions, ..options },
            Err(misuse) => return Ok(failed(WRONG_USAGE, &misuse.to_string())),
        };
        let bar = Bar::new();
        let done = run(
            &options,
            BufReader::with_capacity(BUFFER, input),
            BufWriter::new(Below { bar: &bar, out: stdout().lock() }),
            |progress| bar.show(&line(progress, total)),
        );
        bar.clear();
        match done {
            Ok(_) => Ok(ExitCode::SUCCESS),
            Err(study::Error::Misuse(misuse)) => Ok(failed(WRONG_USAGE, &misuse.to_string())),
            Err(study::Error::Refused(refusal)) => {
                Ok(failed(FILE_REFUSED, &format!("{name}: {refusal}")))
            }
            Err(refused @ study::Error::Predictions { .. }) => {
                Ok(failed(FILE_REFUSED, &refused.to_string()))
            }
            Err(study::Error::Read(source) | study::Error::Write(source)) => {
                Err(Error::Terminal(source))
            }
        }
    }

    fn options(self) -> Result<Options, study::Misuse> {
        let header = match (self.header, self.no_header) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        let (all, named): (Vec<_>, Vec<_>) =
            self.diagnostics.into_iter().partition(|name| name == "all");
        let (all_diagnostics, diagnostics) =
            (!all.is_empty(), named.iter().map(|name| name.parse()).collect::<Result<_, _>>()?);
        let style = Style { colour: stdout().is_terminal() };
        Ok(Options {
            read: read::Options {
                delimiter: self.delimiter,
                header,
                form: self.form,
                units: self.units,
                raters: self.raters,
                columns: self.columns,
                sequence: self.sequence,
                missing: Missing::of(self.missing.iter().map(String::as_str)),
                categories: self.categories,
                level: self.level,
                continuum: self.continuum,
                strict: self.strict,
                item_names: false,
            },
            report: report::Options {
                measures: self.measures,
                consensus: self.consensus,
                gold: self.gold,
                stand_in: self.stand_in,
                annotators: self.annotators,
                diagnostics,
                all_diagnostics,
                confidence: self.confidence,
                resamples: self.resamples,
                seed: self.seed,
                top: self.top,
            },
            predictions: Vec::new(),
            output: match (self.json, self.html) {
                (true, _) => Output::Json,
                (_, true) => Output::Html,
                _ => Output::Text(style),
            },
        })
    }
}

/// A file of predictions.
fn prediction_file(path: &Path) -> Result<PredictionFile, Error> {
    let read = |source| Error::StudyFile { path: path.to_owned(), source };
    Ok(PredictionFile { name: path.display().to_string(), bytes: fs::read(path).map_err(read)? })
}

/// How far it is; of a pipe nobody knows how many bytes there are.
fn line(progress: Progress, total: Option<u64>) -> String {
    match (progress, total) {
        (Progress::Read(bytes), Some(total)) => {
            format!("{} of {} KiB read", bytes / 1024, total / 1024)
        }
        (Progress::Read(bytes), None) => format!("{} KiB read", bytes / 1024),
        (Progress::Measured { done, of }, _) => format!("{done} of {of} resamples"),
    }
}

/// Where the report goes; the bar goes away before.
struct Below<'a, W> {
    bar: &'a Bar,
    out: W,
}

impl<W: Write> Write for Below<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bar.clear();
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
