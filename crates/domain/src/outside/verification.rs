//! What the proof found that what is shown follows from what is stored.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{ProjectId, Revision};

/// What a check of one project found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Verification {
    pub project: ProjectId,
    pub revision: Revision,
    pub documents: usize,
    /// Pairs of raters that have something in common.
    pub pairs: usize,
    /// What is wrong, one sentence each; empty if all is right.
    pub problems: Vec<String>,
}

/// What a check of an audit trail found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditVerification {
    /// Whose trail it is; none for the server's own.
    pub trail: Option<ProjectId>,
    pub rows: u64,
    /// Of those, the ones of which something personal was erased.
    pub erased: u64,
    /// Of those, the ones that hold by a later signature than their first: as what is personal was set
    /// aside, or as the key was changed.
    pub amended: u64,
    /// When its first row was noted.
    pub since: Option<DateTime<Utc>>,
    /// What is wrong, one sentence each; empty if all is right.
    pub problems: Vec<String>,
}
