//! What people send to change their work, and what becomes of it.

use chrono::{DateTime, Utc, serde::ts_microseconds};
use serde::{Deserialize, Serialize};

use crate::{
    AssignmentContent, AssignmentId, Code, DocumentId, Error, Fact, LabelSet, Range, ReviewContent,
    Revision, Verdict, check_note,
};

/// Names one save, chosen by the client: the same key again is the same save, answered again
/// without being carried out twice.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SaveKey(pub String);

/// A labeler's changes to their assignment, relative to `base`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaveSpans {
    pub assignment: AssignmentId,
    /// The revision that the changes were made on.
    pub base: Revision,
    pub key: SaveKey,
    /// What is carried out on the assignment by [`crate::change_facts`].
    pub removed: Vec<Fact>,
    pub added: Vec<Fact>,
}

/// What became of a save, a submit or a reopen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SaveOutcome {
    /// It is stored.
    Saved {
        revision: Revision,
        #[serde(with = "ts_microseconds")]
        saved_at: DateTime<Utc>,
    },
    /// The assignment has moved on since `base`; nothing was stored, here is what stands there now.
    Conflict(AssignmentContent),
}

/// A reviewer's changes to their decisions on a document, relative to `base`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaveDecisions {
    pub document: DocumentId,
    pub base: Revision,
    pub key: SaveKey,
    pub changes: Vec<DecisionChange>,
}

/// The new decision on a position, or none to take the present one back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionChange {
    pub range: Range,
    pub decision: Option<(Verdict, LabelSet)>,
    /// Why, in the reviewer's words; empty without any.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

impl DecisionChange {
    /// A change for which no reason is given.
    pub const fn new(range: Range, decision: Option<(Verdict, LabelSet)>) -> Self {
        Self { range, decision, note: String::new() }
    }

    /// Refuses labels on a reject, decisions without labels otherwise, and a reason that is too
    /// long.
    pub fn checked(&self, length: u32) -> Result<(), Error> {
        self.range.checked(length)?;
        check_note(&self.note)?;
        match &self.decision {
            Some((Verdict::Reject, labels)) if !labels.is_empty() => {
                Err(Code::Unsuitable.of("labels", "a reject has no label"))
            }
            Some((Verdict::Accept | Verdict::Relabel | Verdict::Add, labels))
                if labels.is_empty() =>
            {
                Err(Code::Missing.of("labels", "this decision needs a label"))
            }
            _ => Ok(()),
        }
    }
}

/// What became of a reviewer's save, submit or reopen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReviewOutcome {
    Saved {
        revision: Revision,
        #[serde(with = "ts_microseconds")]
        saved_at: DateTime<Utc>,
    },
    Conflict(ReviewContent),
}
