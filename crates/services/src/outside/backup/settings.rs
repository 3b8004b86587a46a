//! What is backed up, when, for whom and where to.

use std::path::PathBuf;

use archive::{Engine, Identities, Keep, Lineage, Listing, Location, Place, Recipient};
use chrono::{DateTime, TimeDelta, Utc};

use super::Failure;

/// What is backed up, when, for whom and where to.
pub struct Schedule {
    /// The address of the database; there may be a password in it.
    pub url: String,
    /// Which database it is: backups of others are none of its concern.
    pub lineage: Lineage,
    /// Where copies are made, readable by their owner only.
    pub scratch: PathBuf,
    pub location: Location,
    pub recipients: Vec<Recipient>,
    pub every: TimeDelta,
    pub keep: Keep,
    /// Whether what has changed since the last backup is stored every few seconds; of SQLite only.
    pub is_continuous: bool,
    /// None where nothing is there that opens backups.
    pub drills: Option<Drills>,
}

/// How backups are tried.
pub struct Drills {
    pub identities: Identities,
    pub every: TimeDelta,
    /// The address of the server of PostgreSQL on which dumps are tried; there may be a password in it. None if
    /// that is the server of the database.
    pub url: Option<String>,
}

impl Schedule {
    /// Where backups lie. It is opened anew each time: a disk may be away, and come back.
    pub(super) fn place(&self) -> Result<Place, Failure> {
        Ok(self.location.open()?)
    }

    /// What lies there of this database.
    pub(super) async fn listing(&self, now: DateTime<Utc>) -> Result<Listing, Failure> {
        Ok(self.place()?.list().await?.of_database(self.lineage, now))
    }

    /// Where dumps of PostgreSQL are tried.
    pub(super) fn drill_url(&self) -> &str {
        self.drills.as_ref().and_then(|drills| drills.url.as_deref()).unwrap_or(&self.url)
    }

    /// What its backups are of.
    pub(super) fn engine(&self) -> Engine {
        if self.url.starts_with("sqlite:") { Engine::Sqlite } else { Engine::Postgres }
    }
}
