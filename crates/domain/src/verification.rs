//! What the proof found that what is shown follows from what is stored.

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
