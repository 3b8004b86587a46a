//! Documents and how far people have come with them.

mod comparison;
mod export;
mod import;
mod raters;

pub use comparison::*;
pub use export::*;
pub use import::*;
pub use raters::*;

use std::{fmt, str::FromStr};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{AssignmentId, Code, DocumentId, Error, FlagKind, MemberId, Role, WorkState};

/// A document without its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DocumentCard {
    pub id: DocumentId,
    pub name: String,
    /// The text's length in Unicode scalar values.
    pub characters: u32,
    pub created_at: DateTime<Utc>,
    /// Every labeler's assignment, in the order of the members.
    #[serde(rename = "copies")]
    pub assignments: Vec<MemberProgress>,
    /// Every review of it.
    pub reviews: Vec<MemberProgress>,
}

/// How far one member has come with one document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MemberProgress {
    pub member: MemberId,
    pub state: WorkState,
    /// The assignment, where it is one and not a review.
    #[serde(rename = "copy")]
    pub assignment: Option<AssignmentId>,
    /// What the labeler has said beside it.
    pub flags: Vec<FlagKind>,
}

/// How far one member has come in the project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonProgress {
    pub member: MemberId,
    pub name: String,
    pub role: Role,
    pub counts: StateCounts,
}

/// How many assignments are in which state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateCounts {
    pub open: u64,
    pub saved: u64,
    pub submitted: u64,
    /// Put aside by their labelers: neither open nor submitted.
    pub skipped: u64,
}

impl StateCounts {
    pub fn add(&mut self, state: WorkState, n: u64) {
        match state {
            WorkState::Open => self.open += n,
            WorkState::Saved => self.saved += n,
            WorkState::Submitted => self.submitted += n,
        }
    }

    pub const fn total(self) -> u64 {
        self.open + self.saved + self.submitted + self.skipped
    }
}

/// Who gets an assignment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum AssignTo {
    /// Every labeler, also those who join later.
    #[default]
    Everyone,
    /// This many labelers, chosen so that everybody gets about the same number of documents.
    Some(u32),
    /// Nobody yet; whose work comes along has it.
    Nobody,
}

impl fmt::Display for AssignTo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Everyone => f.write_str("everyone"),
            Self::Some(labelers) => write!(f, "{labelers}"),
            Self::Nobody => f.write_str("nobody"),
        }
    }
}

impl FromStr for AssignTo {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "everyone" => Ok(Self::Everyone),
            "nobody" => Ok(Self::Nobody),
            labelers => labelers.parse().map(Self::Some).map_err(|_| {
                Code::Malformed
                    .of("assign", "assign is `everyone`, `nobody` or a number of labelers")
            }),
        }
    }
}

/// An assignment in its labeler's list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AssignmentCard {
    pub id: AssignmentId,
    pub document_name: String,
    pub characters: u32,
    pub spans: u64,
    pub state: WorkState,
    pub saved_at: Option<DateTime<Utc>>,
    /// When it is to be submitted, if that was said.
    pub due_at: Option<DateTime<Utc>>,
}
