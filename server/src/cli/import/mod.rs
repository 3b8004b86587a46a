//! `concord import`: files of this machine into a project, all of them or nothing.

mod local;
mod remote;
mod summary;

use std::{path::PathBuf, process::ExitCode};

use clap::{Args, ValueEnum};
use domain::{
    AssignTo, Error as Refusal, ImportAs, ImportMapping, ImportPreview, ImportSummary, LabelChoice,
    PersonChoice, RatersFrom,
};
use serde::Serialize;
use services::document::import::ImportOptions;

use super::{
    Error,
    base::{
        exit::{FILE_REFUSED, WRONG_USAGE, failed_all},
        files,
        options::{pairs, raters},
        output::{refused_lines, say},
        reading::Reading,
        remote::Remote,
    },
    database::Database,
};

/// What stands below the options.
const BELOW: &str = "Names come from the files, otherwise from the level of folders, or the file \
                    names, between which documents repeat; if that is not clear, choose with \
                    --raters, as in concord compare. People become labelers of the same name or \
                    address, or new placeholders to be claimed. Documents with the same id or name and text \
                    are not imported twice: they get the missing work.\n\n\
                    Everything is imported, or nothing; a new project stays, empty. The server may be \
                    running. With --server \
                    the files are sent there, 256 MiB at most.\n\n\
                    Exit codes: 0 imported, or would be, 2 wrong usage, 3 the files are wrong or \
                    do not fit the project, 1 anything else.";

#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
#[derive(Args)]
#[command(after_help = BELOW)]
pub(super) struct Import {
    /// Files, zips or folders.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Project name or number.
    #[arg(long, required_unless_present = "create_project")]
    project: Option<String>,
    /// Create a project of this name instead.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["project", "dry_run"])]
    create_project: Option<String>,
    /// Address of the account that manages the new project. Not with --server, where it is the
    /// token's.
    #[arg(long, value_name = "EMAIL", requires = "create_project", conflicts_with = "server")]
    manager: Option<String>,
    /// What spans become.
    #[arg(long = "as", value_enum, default_value = "suggestions")]
    kind: ImportKind,
    /// Who else is assigned new documents: everyone, nobody, or a number of labelers.
    #[arg(long, default_value = "nobody")]
    assign: AssignTo,
    /// Create missing labels. Otherwise they are errors.
    #[arg(long)]
    create_labels: bool,
    /// Import the work as saved, not submitted.
    #[arg(long)]
    in_progress: bool,
    /// Keep existing work where spans differ. Otherwise these are errors.
    #[arg(long)]
    keep_differing: bool,
    /// Where names come from if files name nobody: auto, file, folder, folder:LEVEL, inside or
    /// pattern:REGEX.
    #[arg(long, default_value_t, value_parser = raters)]
    raters: RatersFrom,
    /// Map a person: NAME=ADDRESS of a labeler, NAME=new, NAME=model:MODEL:VERSION or NAME=leave-out.
    #[arg(long, value_name = "NAME=WHO")]
    map_person: Vec<String>,
    /// Map a label: LABEL=LABEL of the project, LABEL=create, or LABEL= to leave it out.
    #[arg(long, value_name = "LABEL=LABEL")]
    map_label: Vec<String>,
    #[command(flatten)]
    reading: Reading,
    /// Show what would be imported, without importing.
    #[arg(long)]
    dry_run: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    remote: Remote,
}

#[derive(Clone, Copy, ValueEnum)]
enum ImportKind {
    /// Offered to labelers, never counted.
    Suggestions,
    /// The saved work of the people who made them.
    Work,
}

impl Import {
    pub(super) async fn run(self) -> Result<ExitCode, Error> {
        let options = self.options()?;
        let files = files::listed(&self.files)?;
        let project = match (&self.project, &self.create_project) {
            (Some(project), _) => Target::There(project),
            (None, Some(name)) => Target::New { name, manager: self.manager.as_deref() },
            (None, None) => return Ok(failed_all(WRONG_USAGE, &["--project is missing"])),
        };
        let order = Order { project, files, options, dry_run: self.dry_run };
        let outcome = match self.remote.connect()? {
            Some(server) => remote::carry_out(&server, order).await,
            None => local::carry_out(&self.database, order).await,
        };
        match outcome {
            Ok(FilesImported::Read(preview)) => {
                self.print(&preview, &summary::preview(&preview))?;
                Ok(if preview.problem_count > 0 {
                    failed_all(FILE_REFUSED, &refused_lines(&preview.problems))
                } else {
                    ExitCode::SUCCESS
                })
            }
            Ok(FilesImported::Imported(summary)) => {
                self.print(&summary, &summary::summary(&summary))?;
                Ok(ExitCode::SUCCESS)
            }
            Err(Error::Refused(Refusal::InvalidImport(problems))) => {
                Ok(failed_all(FILE_REFUSED, &refused_lines(&problems)))
            }
            Err(Error::Refused(refusal @ Refusal::Invalid { .. })) => {
                Ok(failed_all(FILE_REFUSED, &[refusal.to_string()]))
            }
            Err(error) => Err(error),
        }
    }

    fn options(&self) -> Result<ImportOptions, Error> {
        Ok(ImportOptions {
            files: self.reading.options(),
            import_as: match self.kind {
                ImportKind::Suggestions => ImportAs::Suggestions,
                ImportKind::Work => ImportAs::Work,
            },
            assign: self.assign,
            create_labels: self.create_labels,
            in_progress: self.in_progress,
            keep_differing: self.keep_differing,
            raters_from: self.raters.clone(),
            mapping: ImportMapping {
                people: pairs("--map-person", &self.map_person, person)?,
                labels: pairs("--map-label", &self.map_label, label)?,
            },
        })
    }

    fn print(&self, value: &impl Serialize, text: &str) -> Result<(), Error> {
        if self.json {
            let json =
                serde_json::to_string(value).map_err(|error| Error::Terminal(error.into()))?;
            say(&json)?;
        } else {
            say(text)?;
        }
        Ok(())
    }
}

/// What is to be imported, and how.
struct Order<'a> {
    project: Target<'a>,
    files: Vec<PathBuf>,
    options: ImportOptions,
    dry_run: bool,
}

/// The project that files go into.
#[derive(Clone, Copy)]
enum Target<'a> {
    /// The one of this name or number.
    There(&'a str),
    /// One that is made, and managed by the account with this address.
    New { name: &'a str, manager: Option<&'a str> },
}

/// What became of the files.
enum FilesImported {
    Read(Box<ImportPreview>),
    Imported(ImportSummary),
}

fn person(_: &str, to: &str) -> PersonChoice {
    match to {
        "new" => PersonChoice::Placeholder,
        "leave-out" => PersonChoice::LeaveOut,
        _ => match to.strip_prefix("model:") {
            Some(model) => PersonChoice::model(model),
            None => PersonChoice::Email(to.to_owned()),
        },
    }
}

fn label(_: &str, to: &str) -> LabelChoice {
    match to {
        "" => LabelChoice::LeaveOut,
        "create" => LabelChoice::Create,
        label => LabelChoice::Label(label.to_owned()),
    }
}
