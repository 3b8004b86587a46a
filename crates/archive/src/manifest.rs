//! What lies beside a backup in clear: what it is, and how a drill with it ended.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{Engine, Lineage, Sealed};

/// What a backup is. It is written last: a backup without one was not finished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// When the backup was begun.
    pub at: DateTime<Utc>,
    /// Which database it is of.
    pub lineage: Lineage,
    pub engine: Engine,
    /// The version of Concord that made it.
    pub version: String,
    /// The last migration of its tables.
    pub migration: String,
    /// The fingerprint of the secret key that opens what is sealed in it; none if no key went with it yet.
    pub secret_key: Option<String>,
    /// For whom it is encrypted.
    pub recipients: Vec<String>,
    /// Sizes and hashes, inside and out.
    pub sealed: Sealed,
}

/// How it went to make a database of a backup and to check it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drill {
    pub at: DateTime<Utc>,
    /// How many projects' numbers were computed anew.
    pub projects: usize,
    /// What was wrong, a sentence each.
    pub problems: Vec<String>,
}

impl Drill {
    /// Whether the backup is good.
    pub fn is_sound(&self) -> bool {
        self.problems.is_empty()
    }
}
