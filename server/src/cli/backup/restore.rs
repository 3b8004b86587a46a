//! `concord restore`: a backup in the place of the database, if it is good and nobody works there.

use std::{
    fs,
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use chrono::{DateTime, Utc};
use clap::{Args, ValueHint};
use domain::count;
use serde_json::json;
use services::{
    Clock, Store,
    outside::backup::{
        Ended, Engine, Identities, Postgres, Replacement, Soundness, check_restored, count_tokens,
        end_access, settle,
    },
};

use super::{
    complaints,
    needed_key::{NeededKey, open_trail},
    options::read_identities,
    origin::Origin,
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
                    Scheduled backups are encrypted: name one, or their folder or bucket for the last \
                    of them, and a private key (--identity).\n\n\
                    Sessions, open invitations and reset links end, as the backup does not know \
                    what ended after it. API tokens are revoked unless kept; in a terminal you are \
                    asked. Passwords, members and roles are those of the backup.\n\n\
                    A PostgreSQL database is filled by pg_restore if it is empty. With --force another \
                    is made beside it, filled, checked, and put in its place; the previous one is kept \
                    with the ending _replaced. That takes an account that may create databases.\n\n\
                    Exit codes: 0 restored, 1 failed, for example when a server has the database \
                    open, 2 wrong usage, or an existing database without --force, 3 not a valid \
                    backup.";

/// What was put in place, and the moment from which it is, if that is known.
struct Restored {
    shown: String,
    bytes: u64,
    until: Option<DateTime<Utc>>,
}

/// The ending of the database that was there before.
const REPLACED: &str = ".replaced";

#[expect(clippy::struct_excessive_bools, reason = "these are its options")]
#[derive(Args)]
#[command(after_help = BELOW)]
pub(in crate::cli) struct Restore {
    /// The backup: a file, or a folder or bucket (`s3://bucket/prefix`) of scheduled backups for the last
    /// of them.
    #[arg(value_hint = ValueHint::AnyPath)]
    backup: String,
    /// File of a private key of age that decrypts the backup.
    #[arg(long, value_name = "FILE")]
    identity: Option<PathBuf>,
    /// The time to go back to, such as 2026-11-26T09:15:00Z: the last backup before it and what changed
    /// up to then. Default: the last that is known.
    #[arg(long, value_name = "TIME")]
    until: Option<DateTime<Utc>>,
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
        let origin = Origin::find(&self.backup, self.until).await?;
        let identities = self.identity.as_deref().map(read_identities).transpose()?;
        match self.database.sqlite_file() {
            Some(target) => self.replace_file(&target, &origin, identities.as_ref()).await,
            None => self.fill_postgres(&origin, identities.as_ref()).await,
        }
    }

    /// Puts a database of SQLite in the place of the one that is there.
    async fn replace_file(
        &self,
        target: &Path,
        origin: &Origin,
        identities: Option<&Identities>,
    ) -> Result<ExitCode, Error> {
        let (from, shown) = (origin.shown(), target.display().to_string());
        let is_there = target.exists();
        if is_there && !self.force {
            let reason = format!("{shown} already has a database; --force replaces it");
            return Ok(failed(WRONG_USAGE, &reason));
        }
        if let Some(folder) = target.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            create_folder(folder)?;
        }
        let new = Scratch::beside(target, ".restoring")?;
        let (bytes, loaded) = origin.load(identities, &new).await?;
        if loaded.as_ref().is_some_and(|loaded| loaded.manifest.engine != Engine::Sqlite) {
            let reason = format!("{from} is of PostgreSQL: use --database-url postgres://…");
            return Ok(failed(WRONG_USAGE, &reason));
        }
        let found = check_restored(&sqlite_url(new.path())).await?;
        if !found.is_sound() {
            let reason = format!("{from} is not a valid backup: {}", complaints(&found));
            return Ok(failed(FILE_REFUSED, &reason));
        }
        let store = open(&sqlite_url(new.path())).await?;
        let (ended, key) = self.end_what_was_open(store).await?;
        settle(&sqlite_url(new.path())).await?;
        if is_there {
            match settle(&sqlite_url(target)).await {
                Ok(true) => {}
                Ok(false) => {
                    let reason = format!("{shown} is in use: stop the server first");
                    return Ok(failed(FAILED, &reason));
                }
                // It is broken, which is why somebody restores.
                Err(_) => set_aside(target, REPLACED)?,
            }
            let replaced = with_ending(target, REPLACED);
            if replaced.exists() {
                fs::remove_file(&replaced)?;
            }
            fs::hard_link(target, replaced)?;
        }
        // It tells of rows that are gone now.
        let heads = self.database.audit_heads();
        if heads.exists() {
            fs::rename(&heads, with_ending(&heads, REPLACED))?;
        }
        new.keep_as(target)?;
        self.report(
            &Restored { shown, bytes, until: loaded.map(|it| it.until) },
            &found,
            ended,
            &key,
        )
    }

    /// Fills a database of PostgreSQL that is empty, or another beside it that takes its place once it is good.
    async fn fill_postgres(
        &self,
        origin: &Origin,
        identities: Option<&Identities>,
    ) -> Result<ExitCode, Error> {
        let (url, from) = (self.database.url(), origin.shown());
        let target = Postgres::at(&url)?;
        let is_there = Replacement::is_needed(&target).await?;
        if is_there && !self.force {
            let reason = "the database is not empty; --force replaces it";
            return Ok(failed(WRONG_USAGE, reason));
        }
        let beside = self.database.folder_to_write()?.join("backup");
        let dump = Scratch::beside(&beside, ".restoring")?;
        let (bytes, loaded) = origin.load(identities, &dump).await?;
        if loaded.as_ref().is_some_and(|loaded| loaded.manifest.engine != Engine::Postgres) {
            let reason = format!("{from} is of SQLite: restore it without --database-url");
            return Ok(failed(WRONG_USAGE, &reason));
        }
        let restored = Restored { shown: from.clone(), bytes, until: loaded.map(|it| it.until) };
        let damaged = |found: &Soundness| {
            let reason = format!("{from} is not a valid backup: {}", complaints(found));
            Ok(failed(FILE_REFUSED, &reason))
        };
        if !is_there {
            target.fill(dump.path()).await?;
            let found = check_restored(&url).await?;
            if !found.is_sound() {
                return damaged(&found);
            }
            let (ended, key) = self.end_what_was_open(open(&url).await?).await?;
            return self.report(&restored, &found, ended, &key);
        }
        let replacement = Replacement::fill(target, dump.path()).await?;
        let found = check_restored(replacement.url()).await?;
        if !found.is_sound() {
            replacement.give_up().await?;
            return damaged(&found);
        }
        let (ended, key) = self.end_what_was_open(open(replacement.url()).await?).await?;
        replacement.put_in_place().await?;
        self.report(&restored, &found, ended, &key)
    }

    /// Ends what a backup does not know to have been ended, and says which secret key the database needs.
    async fn end_what_was_open(&self, store: Store) -> Result<(Ended, NeededKey), Error> {
        let clock = Clock::system();
        // Without the key that goes with it, whoever has it notes later that this was done.
        let (store, key) = open_trail(&self.database, store).await?;
        let keep_tokens = self.keeps_tokens(count_tokens(&store, &clock).await?)?;
        let ended = end_access(&store, &clock, keep_tokens).await?;
        store.close().await.map_err(|error| Error::Database(error.to_string()))?;
        Ok((ended, key))
    }

    fn report(
        &self,
        restored: &Restored,
        found: &Soundness,
        ended: Ended,
        key: &NeededKey,
    ) -> Result<ExitCode, Error> {
        if self.json {
            let (Restored { shown, bytes, until }, projects) = (restored, &found.projects);
            say_json(&json!({
                "file": shown, "bytes": bytes, "until": until, "projects": projects,
                "ended": ended, "secret_key": key,
            }))?;
        } else {
            let projects = count(found.projects.len(), "project");
            say(&format!("{}: {projects}, checked.", restored.shown))?;
            if let Some(until) = restored.until {
                say(&format!("It is as it was at {}.", until.format("%Y-%m-%d %H:%M:%S UTC")))?;
            }
            say(&ended_words(ended))?;
            say("Passwords, members and roles are those of the backup.")?;
            if let Some(words) = key.words() {
                say(&words)?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
