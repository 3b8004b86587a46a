//! `concord export`: spans as a file, from a database or from a server.

use std::{
    fs::File,
    io::{self, IsTerminal, Write, stderr, stdout},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Args;
use domain::{
    Documents, Error as Refusal, ExportFormat, ExportQuery, ExportWhat, LossForm, ProjectId,
};
use reqwest::Response;
use serde::Serialize;
use services::{
    document::{export, import},
    error_chain,
};

use super::{
    Error,
    base::{
        exit::{WRONG_USAGE, failed},
        remote::{Connection, Remote},
    },
    database::Database,
};

/// The exit code for what there is not, or what the token does not open.
const REFUSED: u8 = 3;
/// The exit code for a file that does not hold everything, if that was asked for.
const LEFT_OUT: u8 = 4;

/// The most bytes of a file that a server sends.
const MAX_FILE: u64 = 16 << 30;

/// What stands below the options.
const BELOW: &str = "The file goes to --output or standard output; the summary to standard output, \
                    or to standard error if the file goes there. Formats with one file per \
                    document, and formats without raters for all labelers, make a zip.\n\n\
                    Exit codes: 0 exported, 2 wrong usage, 3 no such project, rater or version, or \
                    no access with this token, 4 exported with losses (with --strict), 1 anything \
                    else.";

#[derive(Args)]
#[command(after_help = BELOW)]
pub(super) struct Export {
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    remote: Remote,
    /// Number of the project, as in its address.
    #[arg(long)]
    project: ProjectId,
    /// Whose spans: labelers, rater-<id>, gold, gold-<version>; own, with a token.
    #[arg(long, default_value = "labelers")]
    what: ExportWhat,
    /// The format: jsonl, csv, tsv, conll, conllu, webanno-tsv, brat, doccano, label-studio, prodigy,
    /// spacy, datasaur, cas-xmi or cas-json.
    #[arg(long, default_value_t)]
    format: ExportFormat,
    /// Work to include: saved (and submitted) or submitted only.
    #[arg(long, default_value_t)]
    documents: Documents,
    /// Write to this file.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write losses (what the format cannot hold) to this .json or .csv file.
    #[arg(long, value_name = "FILE")]
    losses: Option<PathBuf>,
    /// Exit with code 4 if anything was left out.
    #[arg(long)]
    strict: bool,
    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,
}

/// What was exported.
#[derive(Serialize)]
struct Summary {
    project: ProjectId,
    what: ExportWhat,
    format: ExportFormat,
    /// Where the file is; none on standard output.
    file: Option<PathBuf>,
    bytes: u64,
    documents: u64,
    spans: u64,
    left_out: u64,
    changed: u64,
}

impl Export {
    pub(super) async fn run(self) -> Result<ExitCode, Error> {
        if let Some(why) = self.misused() {
            return Ok(failed(WRONG_USAGE, why));
        }
        let exported = match self.remote.connect()? {
            Some(server) => self.ask_server(&server).await,
            None => self.read_database().await,
        };
        let summary = match exported {
            Ok(summary) => summary,
            Err(Error::RefusedBy(why)) => return Ok(failed(REFUSED, &why)),
            Err(Error::Refused(refusal @ (Refusal::NotFound | Refusal::Invalid { .. }))) => {
                return Ok(failed(REFUSED, &refusal.to_string()));
            }
            Err(error) => return Err(error),
        };
        self.say(&summary)?;
        let is_short = self.strict && summary.left_out > 0;
        Ok(if is_short { ExitCode::from(LEFT_OUT) } else { ExitCode::SUCCESS })
    }

    /// Why this cannot be meant.
    fn misused(&self) -> Option<&'static str> {
        if self.losses.as_deref().is_some_and(|path| loss_form(path).is_none()) {
            return Some("--losses needs a .json or .csv file");
        }
        let is_zip = self.format.is_zip(self.what);
        if is_zip && self.output.is_none() && stdout().is_terminal() {
            return Some("this is a zip: use --output FILE, or redirect it");
        }
        None
    }

    const fn query(&self) -> ExportQuery {
        ExportQuery { what: self.what, format: self.format, documents: self.documents }
    }

    async fn read_database(&self) -> Result<Summary, Error> {
        let services = self.database.services().await?;
        // What a server or an import has left half done that is certain.
        import::publish_decided(&services, self.project).await?;
        let mut file = export::of_database(&services, self.project, self.query()).await?;
        let bytes = {
            let mut out = self.out()?;
            let bytes = file.write_to(&mut out)?;
            out.flush().map_err(|source| self.not_written(source))?;
            bytes
        };
        if let Some((path, form)) = self.losses.as_deref().and_then(|p| Some((p, loss_form(p)?))) {
            let mut out = created(path)?;
            file.write_losses(form, &mut out)?;
        }
        Ok(Summary {
            bytes,
            documents: file.documents,
            spans: file.spans,
            left_out: file.left_out,
            changed: file.changed,
            ..self.nothing()
        })
    }

    async fn ask_server(&self, server: &Connection) -> Result<Summary, Error> {
        let path = format!("/api/v1/projects/{}/exports", self.project);
        let ExportQuery { what, format, documents } = self.query();
        let mut query = vec![
            ("what", what.to_string()),
            ("format", format.to_string()),
            ("documents", documents.to_string()),
        ];
        let answer = server.get(&path, &query).await?;
        let count = |name: &str| {
            let value = answer.headers().get(name).and_then(|value| value.to_str().ok());
            value.and_then(|value| value.parse().ok()).unwrap_or_default()
        };
        let summary = Summary {
            documents: count("x-concord-documents"),
            spans: count("x-concord-spans"),
            left_out: count("x-concord-left-out"),
            changed: count("x-concord-changed"),
            ..self.nothing()
        };
        let mut out = self.out()?;
        let bytes = copied(answer, &mut out, |source| self.not_written(source)).await?;
        if let Some((losses, form)) = self.losses.as_deref().and_then(|p| Some((p, loss_form(p)?)))
        {
            query.push(("form", form.to_string()));
            let answer = server.get(&format!("{path}/losses"), &query).await?;
            copied(answer, &mut created(losses)?, |source| not_written(losses, source)).await?;
        }
        Ok(Summary { bytes, ..summary })
    }

    fn nothing(&self) -> Summary {
        Summary {
            project: self.project,
            what: self.what,
            format: self.format,
            file: self.output.clone(),
            bytes: 0,
            documents: 0,
            spans: 0,
            left_out: 0,
            changed: 0,
        }
    }

    /// Where the file goes.
    fn out(&self) -> Result<Box<dyn Write + Send>, Error> {
        match &self.output {
            Some(path) => Ok(Box::new(created(path)?)),
            None => Ok(Box::new(stdout())),
        }
    }

    fn not_written(&self, source: io::Error) -> Error {
        match &self.output {
            Some(path) => not_written(path, source),
            None => Error::Terminal(source),
        }
    }

    fn say(&self, summary: &Summary) -> Result<(), Error> {
        let text = if self.json {
            serde_json::to_string(summary).map_err(|error| Error::Terminal(error.into()))?
        } else {
            written(summary)
        };
        if self.output.is_some() {
            writeln!(stdout().lock(), "{text}")?;
        } else {
            writeln!(stderr().lock(), "{text}")?;
        }
        Ok(())
    }
}

/// The summary in a line.
fn written(summary: &Summary) -> String {
    let Summary { documents, spans, left_out, changed, bytes, .. } = summary;
    let lost = match (left_out, changed) {
        (0, 0) => "no losses".to_owned(),
        (0, changed) => format!("nothing left out, {changed} written differently"),
        (left_out, changed) => format!("{left_out} left out, {changed} written differently"),
    };
    format!("{documents} documents, {spans} spans, {bytes} bytes: {lost}")
}

/// Writes an answer as it comes.
async fn copied(
    mut answer: Response,
    out: &mut impl Write,
    not_written: impl Fn(io::Error) -> Error,
) -> Result<u64, Error> {
    let mut bytes = 0;
    while let Some(chunk) =
        answer.chunk().await.map_err(|error| Error::Server(error_chain(&error)))?
    {
        bytes += u64::try_from(chunk.len()).unwrap_or(u64::MAX);
        if bytes > MAX_FILE {
            return Err(Error::Server(format!("the file is larger than {MAX_FILE} bytes")));
        }
        out.write_all(&chunk).map_err(&not_written)?;
    }
    out.flush().map_err(&not_written)?;
    Ok(bytes)
}

fn created(path: &Path) -> Result<io::BufWriter<File>, Error> {
    File::create(path).map(io::BufWriter::new).map_err(|source| not_written(path, source))
}

fn not_written(path: &Path, source: io::Error) -> Error {
    Error::WriteFile { path: path.to_owned(), source }
}

/// The form of the list of losses, by the file's name.
fn loss_form(path: &Path) -> Option<LossForm> {
    path.extension()?.to_str()?.to_ascii_lowercase().parse().ok()
}
