//! Backups that a server makes by itself: where to, when, for whom, and which are kept.

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::Args;
use services::{
    Store,
    outside::backup::{Drills, Identities, Keep, Location, Recipient, Schedule, lineage},
};

use crate::cli::{Error, base::span::Span, database::Database};

#[derive(Args)]
pub(in crate::cli) struct ScheduledBackups {
    /// Folder or bucket for scheduled backups, such as `/backups` or `s3://bucket/concord`. Endpoint and
    /// credentials of a bucket come from `AWS_ENDPOINT`, `AWS_REGION`, `AWS_ACCESS_KEY_ID` and
    /// `AWS_SECRET_ACCESS_KEY`. Default: none.
    #[arg(
        long = "backup-to",
        env = "CONCORD_BACKUP_TO",
        value_name = "PLACE",
        requires = "backup_recipients"
    )]
    backup_to: Option<Location>,
    /// Time between backups, such as 1d, 6h or 30m.
    #[arg(
        long = "backup-every",
        env = "CONCORD_BACKUP_EVERY",
        value_name = "TIME",
        default_value_t = Span::days(1)
    )]
    every: Span,
    /// Public key for which backups are encrypted: age1…, from `age-keygen`. Repeatable.
    #[arg(
        long = "backup-recipient",
        env = "CONCORD_BACKUP_RECIPIENTS",
        value_name = "RECIPIENT",
        value_delimiter = ',',
        requires = "backup_to"
    )]
    backup_recipients: Vec<Recipient>,
    /// Backups to keep: the last of so many hours (h), days (d), weeks (w) and months (m).
    #[arg(
        long = "backup-keep",
        env = "CONCORD_BACKUP_KEEP",
        value_name = "RULE",
        default_value = "7d,4w,12m"
    )]
    keep: Keep,
    /// Also store every 15 seconds what has changed since the last backup. SQLite up to 1 GiB only.
    #[arg(
        long = "backup-continuously",
        env = "CONCORD_BACKUP_CONTINUOUSLY",
        requires = "backup_to"
    )]
    continuously: bool,
    /// File of a private key that decrypts backups, from `age-keygen`, for restore drills. Default: no drills.
    #[arg(
        long = "backup-identity",
        env = "CONCORD_BACKUP_IDENTITY",
        value_name = "FILE",
        requires = "backup_to"
    )]
    identity: Option<PathBuf>,
    /// Time between restore drills: the last backup is restored beside the database, checked, and deleted.
    #[arg(
        long = "backup-drill-every",
        env = "CONCORD_BACKUP_DRILL_EVERY",
        value_name = "TIME",
        default_value_t = Span::days(30)
    )]
    drill_every: Span,
    /// PostgreSQL server for restore drills, such as `postgres://user@host/postgres`. Default: the server of
    /// the database.
    #[arg(
        long = "backup-drill-url",
        env = "CONCORD_BACKUP_DRILL_URL",
        hide_env_values = true,
        value_name = "URL",
        requires = "identity"
    )]
    drill_url: Option<String>,
}

impl ScheduledBackups {
    /// What is to be backed up and when; none if nothing is.
    pub(in crate::cli) async fn schedule(
        &self,
        database: &Database,
        store: &Store,
    ) -> Result<Option<Schedule>, Error> {
        let Some(location) = &self.backup_to else { return Ok(None) };
        if self.continuously && database.sqlite_file().is_none() {
            let why = "--backup-continuously is for SQLite; PostgreSQL archives its own log";
            return Err(Error::Usage(why.to_owned()));
        }
        if self.drill_url.is_some() && database.sqlite_file().is_some() {
            let why = "--backup-drill-url is for PostgreSQL; SQLite is tried in the data folder";
            return Err(Error::Usage(why.to_owned()));
        }
        let identities = self.identity.as_deref().map(read_identities).transpose()?;
        Ok(Some(Schedule {
            url: database.url(),
            scratch: database.folder_to_write()?,
            lineage: lineage(store).await?,
            location: location.clone(),
            recipients: self.backup_recipients.clone(),
            every: self.every.0,
            keep: self.keep.clone(),
            is_continuous: self.continuously,
            drills: identities.map(|identities| Drills {
                identities,
                every: self.drill_every.0,
                url: self.drill_url.clone(),
            }),
        }))
    }
}

/// The private keys in a file.
pub(super) fn read_identities(path: &Path) -> Result<Identities, Error> {
    let text = fs::read_to_string(path);
    let text = text.map_err(|source| Error::StudyFile { path: path.to_owned(), source })?;
    Identities::read(&text).map_err(|problem| Error::Identity { path: path.to_owned(), problem })
}
