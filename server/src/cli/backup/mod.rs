//! `concord backup`: one file that holds everything, proven good before it is called so.

mod needed_key;
mod options;
mod origin;
pub(super) mod restore;
mod scratch;

use std::{path::PathBuf, process::ExitCode};

use clap::Args;
use domain::count;
use serde_json::json;
use services::outside::backup::{Soundness, check, copy, find_unexpected_objects};

pub(super) use self::options::ScheduledBackups;
use self::scratch::Scratch;
use super::{
    Error,
    base::{
        exit::{FAILED, WRONG_USAGE, failed, warn},
        output::{say, say_json},
    },
    database::{Database, sqlite_url},
};

/// What stands below the options.
const BELOW: &str = "The backup is a consistent snapshot; people can keep working. SQLite and the \
                    checks of `concord verify` check it before it gets its name.\n\n\
                    For PostgreSQL use --backup-to of `concord serve`, or pg_dump: pg_dump \
                    --format=custom --file=FILE URL\n\n\
                    Exit codes: 0 backed up, 1 failed or the backup is damaged, 2 wrong usage or a \
                    PostgreSQL database.";

/// What is said of PostgreSQL.
const POSTGRES: &str =
    "this is a PostgreSQL database: use --backup-to of concord serve, or pg_dump";

#[derive(Args)]
#[command(after_help = BELOW)]
pub(super) struct Backup {
    /// File to write, readable only by its owner: it holds everything.
    file: PathBuf,
    /// Replace an existing file.
    #[arg(long)]
    force: bool,
    /// Print JSON: the file, its size, and what was checked.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

impl Backup {
    pub(super) async fn run(self) -> Result<ExitCode, Error> {
        let Some(source) = self.database.sqlite_file() else {
            return Ok(failed(WRONG_USAGE, POSTGRES));
        };
        if !source.exists() {
            return Err(Error::NoDatabase(source));
        }
        let shown = self.file.display().to_string();
        if self.file.exists() && !self.force {
            let reason = format!("{shown} already exists; --force replaces it");
            return Ok(failed(WRONG_USAGE, &reason));
        }
        let part = Scratch::beside(&self.file, ".part")?;
        copy(&sqlite_url(&source), part.path()).await?;
        // Checking brings tables up to date; the backup stays of the version that wrote it.
        let tried = Scratch::beside(&self.file, ".check")?;
        let bytes = tried.copy_from(part.path())?;
        let found = check(&sqlite_url(tried.path())).await?;
        if !found.is_sound() {
            let reason = format!("the backup is damaged and was removed: {}", complaints(&found));
            return Ok(failed(FAILED, &reason));
        }
        for problem in find_unexpected_objects(&sqlite_url(tried.path())).await? {
            warn(&format!("restore will refuse this backup: {problem}"));
        }
        part.keep_as(&self.file)?;
        if self.json {
            say_json(&json!({ "file": shown, "bytes": bytes, "projects": found.projects }))?;
        } else {
            let projects = count(found.projects.len(), "project");
            say(&format!("{shown}: {bytes} bytes, {projects}, checked."))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// What is wrong, in a line.
pub(super) fn complaints(found: &Soundness) -> String {
    found.complaints().map(String::as_str).collect::<Vec<_>>().join("; ")
}
