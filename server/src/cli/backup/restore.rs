//! `concord restore`: a backup in the place of the database, if it is good and nobody works there.

use std::{
    fs,
    io::{self, IsTerminal, Write},
    path::PathBuf,
    process::ExitCode,
};

use clap::Args;
use domain::count;
use serde_json::json;
use services::{
    Clock,
    outside::{
        audit::{self, Known},
        backup::{check, count_tokens, end_access, settle},
    },
};

use super::{
    POSTGRES, complaints,
    scratch::{Scratch, set_aside, with_ending},
};
use crate::cli::{
    Error,
    base::{
        exit::{FAILED, FILE_REFUSED, WRONG_USAGE, failed},
        output::{say, say_json},
    },
    database::{Database, create_folder, open, sqlite_url},
    people::user::ended_words,
};

/// What stands below the options.
const BELOW: &str = "The backup is copied beside the database, checked by SQLite and as by \
                    `concord verify`, migrated, and put in place in one step. The previous \
                    database and its audit trail heads are kept with the ending .replaced.\n\n\
                    Sessions, open invitations and reset links end, as the backup does not know \
                    what ended after it. API tokens are revoked unless kept; in a terminal you are \
                    asked. Passwords, members and roles are those of the backup.\n\n\
                    For PostgreSQL use pg_restore, then `concord user sign-out-everybody`.\n\n\
                    Exit codes: 0 restored, 1 failed, for example when a server has the database \
                    open, 2 wrong usage, an existing database without --force, or PostgreSQL, 3 \
                    not a valid backup.";

/// The ending of the database that was there before.
const REPLACED: &str = ".replaced";

#[expect(clippy::struct_excessive_bools, reason = "these are its options")]
#[derive(Args)]
#[command(after_help = BELOW)]
pub(in crate::cli) struct Restore {
    /// The backup.
    file: PathBuf,
    /// Replace an existing database.
    #[arg(long)]
    force: bool,
    /// Keep API tokens, including those revoked after the backup.
    #[arg(long, conflicts_with = "revoke_tokens")]
    keep_tokens: bool,
    /// Revoke API tokens without asking.
    #[arg(long)]
    revoke_tokens: bool,
    /// Print JSON: the database, its size, what was checked, and what was ended.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

impl Restore {
    /// Whether tokens are kept: as it was said, or as somebody answers who can be asked.
    fn keeps_tokens(&self, tokens: u64) -> io::Result<bool> {
        let can_ask = io::stdin().is_terminal() && io::stderr().is_terminal();
        if self.keep_tokens || self.revoke_tokens || tokens == 0 || !can_ask {
            return Ok(self.keep_tokens);
        }
        let tokens = count(usize::try_from(tokens).unwrap_or(usize::MAX), "token");
        let mut asked = io::stderr().lock();
        write!(
            asked,
            "The backup holds {tokens} of programs. Some may have been revoked since. Keep them? [y/N] "
        )?;
        asked.flush()?;
        let mut answer = String::new();
        io::stdin().read_line(&mut answer)?;
        Ok(["y", "yes"].contains(&answer.trim().to_lowercase().as_str()))
    }

    pub(in crate::cli) async fn run(self) -> Result<ExitCode, Error> {
        let Some(target) = self.database.sqlite_file() else {
            return Ok(failed(WRONG_USAGE, POSTGRES));
        };
        let (from, shown) = (self.file.display(), target.display().to_string());
        let is_there = target.exists();
        if is_there && !self.force {
            let reason = format!("{shown} already has a database; --force replaces it");
            return Ok(failed(WRONG_USAGE, &reason));
        }
        if let Some(folder) = target.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            create_folder(folder)?;
        }
        let new = Scratch::beside(&target, ".restoring")?;
        let bytes = new.copy_from(&self.file)?;
        let found = check(&sqlite_url(new.path())).await?;
        if !found.is_sound() {
            let reason = format!("{from} is not a valid backup: {}", complaints(&found));
            return Ok(failed(FILE_REFUSED, &reason));
        }
        let clock = Clock::system();
        let store = open(&sqlite_url(new.path())).await?;
        // Without the key that goes with it, whoever has it notes later that this was done.
        let store = match self.database.key_if_there(&store).await {
            Some(key) => audit::open(store, &key, clock.now(), Known::Nothing).await?,
            None => store,
        };
        let keep_tokens = self.keeps_tokens(count_tokens(&store, &clock).await?)?;
        let ended = end_access(&store, &clock, keep_tokens).await?;
        store.close().await.map_err(|error| Error::Database(error.to_string()))?;
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
        // It tells of rows that are gone now.
        let heads = self.database.audit_heads();
        if heads.exists() {
            fs::rename(&heads, with_ending(&heads, REPLACED))?;
        }
        new.keep_as(&target)?;
        if self.json {
            let projects = &found.projects;
            say_json(&json!({
                "file": shown, "bytes": bytes, "projects": projects, "ended": ended,
            }))?;
        } else {
            say(&format!("{shown}: {}, checked.", count(found.projects.len(), "project")))?;
            say(&ended_words(ended))?;
            say("Passwords, members and roles are those of the backup.")?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
