//! What is backed up, when, for whom and where to.

use std::path::PathBuf;

use archive::{Identities, Keep, Place, Recipient};
use chrono::TimeDelta;

/// What is backed up, when, for whom and where to.
pub struct Schedule {
    /// The address of the database; there may be a password in it.
    pub url: String,
    /// Where copies are made, readable by their owner only.
    pub scratch: PathBuf,
    pub place: Place,
    pub recipients: Vec<Recipient>,
    pub every: TimeDelta,
    pub keep: Keep,
    /// Whether what has changed since the last backup is stored within a minute; of SQLite only.
    pub is_continuous: bool,
    /// None where nothing is there that opens backups.
    pub drills: Option<Drills>,
}

/// How backups are tried.
pub struct Drills {
    pub identities: Identities,
    pub every: TimeDelta,
}
