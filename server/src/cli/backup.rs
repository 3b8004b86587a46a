//! `concord backup`: one file that holds everything, proven good before it is called so.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;
use domain::count;
use serde_json::json;
use services::outside::backup::{Soundness, check, copy};

use super::{
    Error,
    database::{Database, sqlite_url},
    exit::{FAILED, WRONG_USAGE, failed},
    output::{say, say_json},
    scratch::Scratch,
};

/// What stands below the options.
const BELOW: &str = "The copy is of one moment; people may work on meanwhile. It is checked by SQLite \
                     and as by `concord verify`, and only then given its name.\n\n\
                     PostgreSQL has pg_dump for this: pg_dump --format=custom --file=FILE URL\n\n\
                     Exit codes: 0 backed up, 1 it failed or the copy is not sound, 2 wrong usage, \
                     or a database of PostgreSQL.";

/// What is said of PostgreSQL.
pub(super) const POSTGRES: &str = "this database is PostgreSQL's, which has tools of its own: use pg_dump \
                                   and pg_restore";

#[derive(Args)]
#[command(after_help = BELOW)]
pub(super) struct Backup {
    /// The file to write. Nobody else can read it: it holds everything.
    file: PathBuf,
    /// Replace the file if there is one.
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
            let reason = format!("{shown} is there already; --force replaces it");
            return Ok(failed(WRONG_USAGE, &reason));
        }
        let part = Scratch::beside(&self.file, ".part")?;
        copy(&sqlite_url(&source), part.path()).await?;
        // Checking brings tables up to date; the backup stays of the version that wrote it.
        let tried = Scratch::beside(&self.file, ".check")?;
        let bytes = tried.copy_from(part.path())?;
        let found = check(&sqlite_url(tried.path())).await?;
        if !found.is_sound() {
            let reason = format!("the copy is not sound, nothing is kept: {}", complaints(&found));
            return Ok(failed(FAILED, &reason));
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
