//! `concord restore`: a backup in the place of the database, if it is good and nobody works there.

use std::{fs, path::PathBuf, process::ExitCode};

use clap::Args;
use domain::count;
use serde_json::json;
use services::backup::{check, settle};

use super::{
    Error,
    backup::{POSTGRES, complaints},
    database::{Database, create_folder, sqlite_url},
    exit::{FAILED, FILE_REFUSED, WRONG_USAGE, failed},
    output::{say, say_json},
    scratch::{Scratch, set_aside, with_ending},
};

/// What stands below the options.
const BELOW: &str = "The backup is copied beside the database, checked by SQLite and as by `concord \
                     verify`, brought up to date, and put in place in one step. The database that was \
                     there stays beside it with the ending .replaced.\n\n\
                     PostgreSQL has pg_restore for this.\n\n\
                     Exit codes: 0 restored, 1 it failed, as when a server has the database open, 2 \
                     wrong usage, or a database is there and --force is not, or it is one of \
                     PostgreSQL, 3 the file is no sound backup.";

/// The ending of the database that was there before.
const REPLACED: &str = ".replaced";

#[derive(Args)]
#[command(after_help = BELOW)]
pub(super) struct Restore {
    /// The backup.
    file: PathBuf,
    /// Replace the database that is there.
    #[arg(long)]
    force: bool,
    /// Print JSON: the database, its size, and what was checked.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

impl Restore {
    pub(super) async fn run(self) -> Result<ExitCode, Error> {
        let Some(target) = self.database.sqlite_file() else {
            return Ok(failed(WRONG_USAGE, POSTGRES));
        };
        let (from, shown) = (self.file.display(), target.display().to_string());
        let is_there = target.exists();
        if is_there && !self.force {
            let reason = format!("there is a database at {shown} already; --force replaces it");
            return Ok(failed(WRONG_USAGE, &reason));
        }
        if let Some(folder) = target.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            create_folder(folder)?;
        }
        let new = Scratch::beside(&target, ".restoring")?;
        let bytes = new.copy_from(&self.file)?;
        let found = check(&sqlite_url(new.path())).await?;
        if !found.is_sound() {
            let reason = format!("{from} is no sound backup: {}", complaints(&found));
            return Ok(failed(FILE_REFUSED, &reason));
        }
        settle(&sqlite_url(new.path())).await?;
        if is_there {
            match settle(&sqlite_url(&target)).await {
                Ok(true) => {}
                Ok(false) => {
                    let reason = format!("{shown} is in use: stop the server first");
                    return Ok(failed(FAILED, &reason));
                }
                // It is broken, which is why somebody restores.
                Err(_) => set_aside(&target, REPLACED)?,
            }
            let replaced = with_ending(&target, REPLACED);
            if replaced.exists() {
                fs::remove_file(&replaced)?;
            }
            fs::hard_link(&target, replaced)?;
        }
        new.keep_as(&target)?;
        if self.json {
            say_json(&json!({ "file": shown, "bytes": bytes, "projects": found.projects }))?;
        } else {
            say(&format!("{shown}: {}, checked.", count(found.projects.len(), "project")))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
