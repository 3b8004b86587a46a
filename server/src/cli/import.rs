//! `concord import`: files of this machine into a project, in one transaction.

use std::{
    fs::File,
    io::{self, BufReader, Write, stdout},
    path::PathBuf,
    process::ExitCode,
};

use clap::{Args, ValueEnum};
use domain::{
    AssignTo, Error as Refusal, ImportAs, ImportMapping, ImportPreview, ImportSummary, LabelChoice,
    PersonChoice, ProjectId, RatersFrom,
};
use serde::Serialize;
use services::{
    Clock, Services, Store,
    importing::{Content, ImportOptions, Source, import_for_owner, preview_for_owner},
    projects,
};

use super::{
    Error,
    database::Database,
    exit::{FILE_REFUSED, failed_all},
    files,
    output::refused_lines,
};

/// What stands below the options.
const BELOW: &str = "A person is whom a file names; else its folder, if the files lie in several; \
                     else the file’s name. People are the labelers of the same name or address, \
                     or new ones whom nobody has claimed yet. Documents of the same id or name and \
                     text are not imported twice: they get the work that they do not have.\n\n\
                     All of it is imported, or nothing. The server may run meanwhile.\n\n\
                     Exit codes: 0 imported, or would be, 2 wrong usage, 3 the files are wrong or \
                     do not fit the project, 1 anything else.";

#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
#[derive(Args)]
#[command(after_help = BELOW)]
pub(super) struct Import {
    /// The files, zips, or folders of them.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The project, by its name or its number.
    #[arg(long)]
    project: String,
    /// What the marks become.
    #[arg(long = "as", value_enum, default_value = "suggestions")]
    marks: Marks,
    /// Who gets copies of new documents beside those whose work comes along: everyone, nobody, or
    /// how many labelers.
    #[arg(long, default_value = "nobody", value_parser = read_assign)]
    assign: AssignTo,
    /// Add labels that the project does not have. Without it they are errors.
    #[arg(long)]
    create_labels: bool,
    /// The work goes on: it is saved, not submitted.
    #[arg(long)]
    in_progress: bool,
    /// Where somebody has other marks in a document already, keep these. Without it they are
    /// errors.
    #[arg(long)]
    keep_differing: bool,
    /// What tells the people where files name nobody: auto, file or folder.
    #[arg(long, default_value_t)]
    raters: RatersFrom,
    /// What a person of the files becomes: NAME=ADDRESS of a labeler, NAME=new or NAME=leave-out.
    #[arg(long, value_name = "NAME=WHO")]
    map_person: Vec<String>,
    /// What a label of the files becomes: LABEL=LABEL of the project, LABEL=create with the word
    /// itself, or LABEL= for nothing.
    #[arg(long, value_name = "LABEL=LABEL")]
    map_label: Vec<String>,
    /// Say what would be imported, and import nothing.
    #[arg(long)]
    dry_run: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

#[derive(Clone, Copy, ValueEnum)]
enum Marks {
    /// Offered to labelers, never counted.
    Suggestions,
    /// The saved work of the people who made them.
    Work,
}

impl Import {
    pub(super) async fn run(self) -> Result<ExitCode, Error> {
        let options = self.options()?;
        let sources = files::listed(&self.files)?.into_iter().map(OnDisk::boxed).collect();
        let store = self.database.open().await?;
        let project = self.find_project(&store).await?;
        let services = Services::new(store, Clock::system(), None);
        if self.dry_run {
            let preview = preview_for_owner(&services, project, sources, options).await?;
            self.print(&preview, &told_preview(&preview))?;
            return Ok(if preview.problem_count > 0 {
                refused(&preview)
            } else {
                ExitCode::SUCCESS
            });
        }
        match import_for_owner(&services, project, sources, options).await {
            Ok(summary) => {
                self.print(&summary, &told(&summary))?;
                Ok(ExitCode::SUCCESS)
            }
            Err(error) => match error.into() {
                Refusal::InvalidImport(problems) => {
                    Ok(failed_all(FILE_REFUSED, &refused_lines(&problems)))
                }
                refusal @ Refusal::Invalid { .. } => {
                    Ok(failed_all(FILE_REFUSED, &[refusal.to_string()]))
                }
                other => Err(Error::Refused(other)),
            },
        }
    }

    fn options(&self) -> Result<ImportOptions, Error> {
        Ok(ImportOptions {
            marks: match self.marks {
                Marks::Suggestions => ImportAs::Suggestions,
                Marks::Work => ImportAs::Work,
            },
            assign: self.assign,
            create_labels: self.create_labels,
            in_progress: self.in_progress,
            keep_differing: self.keep_differing,
            raters_from: self.raters,
            mapping: ImportMapping {
                people: pairs("--map-person", &self.map_person, person)?,
                labels: pairs("--map-label", &self.map_label, label)?,
            },
        })
    }

    /// The project of this name; or, if none has it, of this number.
    async fn find_project(&self, store: &Store) -> Result<ProjectId, Error> {
        let found = projects::find(store, &self.project).await?;
        found.ok_or_else(|| Error::NoSuchProject(self.project.clone()))
    }

    fn print(&self, value: &impl Serialize, text: &str) -> Result<(), Error> {
        if self.json {
            let json =
                serde_json::to_string(value).map_err(|error| Error::Terminal(error.into()))?;
            writeln!(stdout().lock(), "{json}")?;
        } else {
            writeln!(stdout().lock(), "{text}")?;
        }
        Ok(())
    }
}

/// A file that is read from where it lies.
struct OnDisk {
    name: String,
    path: PathBuf,
}

impl OnDisk {
    fn boxed(path: PathBuf) -> Box<dyn Source> {
        Box::new(Self { name: path.to_string_lossy().into_owned(), path })
    }
}

impl Source for OnDisk {
    fn name(&self) -> &str {
        &self.name
    }

    fn open(&self) -> io::Result<Box<dyn Content + '_>> {
        Ok(Box::new(BufReader::new(File::open(&self.path)?)))
    }
}

fn read_assign(text: &str) -> Result<AssignTo, String> {
    match text {
        "everyone" => Ok(AssignTo::Everyone),
        "nobody" => Ok(AssignTo::Nobody),
        number => number
            .parse()
            .map(AssignTo::Some)
            .map_err(|_| "it is everyone, nobody or a number".to_owned()),
    }
}

/// What is before the last equals sign of each, and what becomes of it.
fn pairs<T>(
    option: &'static str,
    values: &[String],
    read: impl Fn(&str, &str) -> T,
) -> Result<std::collections::BTreeMap<String, T>, Error> {
    let pair = |value: &String| {
        let (from, to) = value
            .rsplit_once('=')
            .ok_or_else(|| Error::Mapping { option, value: value.clone() })?;
        Ok((from.to_owned(), read(from, to)))
    };
    values.iter().map(pair).collect()
}

fn person(_: &str, to: &str) -> PersonChoice {
    match to {
        "new" => PersonChoice::Placeholder,
        "leave-out" => PersonChoice::LeaveOut,
        address => PersonChoice::Email(address.to_owned()),
    }
}

fn label(_: &str, to: &str) -> LabelChoice {
    match to {
        "" => LabelChoice::LeaveOut,
        "create" => LabelChoice::Create,
        label => LabelChoice::Label(label.to_owned()),
    }
}

fn told(summary: &ImportSummary) -> String {
    let ImportSummary {
        import, documents, suggestions, copies, spans, placeholders, labels, ..
    } = summary;
    format!(
        "Imported {}, {}, work on {copies} copies with {}; {} and {} added. It is import {import}.",
        count(*documents, "document"),
        count(*suggestions, "suggestion"),
        count(*spans, "span"),
        count(*placeholders, "labeler"),
        count(*labels, "label"),
    )
}

fn told_preview(preview: &ImportPreview) -> String {
    let documents: u64 = preview.files.iter().map(|file| file.documents).sum();
    let spans: u64 = preview.files.iter().map(|file| file.spans).sum();
    let mut lines = vec![format!(
        "{} with {} in {}.",
        count(documents, "document"),
        count(spans, "span"),
        domain::count(preview.files.len(), "file")
    )];
    if let Some(work) = &preview.work {
        for person in &work.people {
            let whose = match &person.choice {
                PersonChoice::Member(id) => format!("member {id}"),
                PersonChoice::Email(address) => address.clone(),
                PersonChoice::Placeholder => "a new labeler".to_owned(),
                PersonChoice::LeaveOut => "left out".to_owned(),
            };
            let (documents, spans) = (person.documents, person.spans);
            lines.push(format!(
                "{}: {}, {}: {whose}",
                person.name,
                count(documents, "document"),
                count(spans, "span")
            ));
        }
        let changes = work.changes;
        lines.push(format!(
            "Copies: {} new, {} the same, {} kept, {} refused.",
            changes.new, changes.same, changes.kept, changes.refused
        ));
        lines.extend(work.notes.iter().cloned());
    }
    lines.extend(preview.files.iter().flat_map(|file| file.notes.iter().cloned()));
    lines.join("\n")
}

/// So many of something, in words.
fn count(n: u64, noun: &str) -> String {
    domain::count(usize::try_from(n).unwrap_or(usize::MAX), noun)
}

fn refused(preview: &ImportPreview) -> ExitCode {
    failed_all(FILE_REFUSED, &refused_lines(&preview.problems))
}
