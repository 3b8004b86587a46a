//! What a labeler says of their assignment beside marking it: that something is wrong with
//! it, or that they put it aside; and what is said to them when they get it back.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{AssignmentId, Code, Error, LONGEST_NOTE, ProjectId, ReviewedAssignment, Role};

/// A mark beside the state of an assignment. None of them changes what is counted: an assignment that was put
/// aside is neither open nor submitted, and what is saved in it is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum FlagKind {
    /// Something is wrong with the document.
    Flag,
    /// The labeler puts the document aside.
    Skip,
}

named! {
    FlagKind, Unknown, "kind", "a document is flagged or skipped";
    Flag = "flag", Skip = "skip",
}

/// Why a document is flagged or skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FlagReason {
    Damaged,
    Language,
    Duplicate,
    Sensitive,
    Unclear,
    Knowledge,
    /// Said in the labeler's own words.
    #[default]
    Other,
}

named! {
    FlagReason, Missing, "reason", "choose a reason from the list";
    Damaged = "damaged", Language = "language", Duplicate = "duplicate", Sensitive = "sensitive",
    Unclear = "unclear", Knowledge = "knowledge", Other = "other",
}

impl FlagReason {
    /// As people read it.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Damaged => "text is damaged or cut off",
            Self::Language => "wrong language",
            Self::Duplicate => "duplicate",
            Self::Sensitive => "private or disturbing content",
            Self::Unclear => "not covered by the guidelines",
            Self::Knowledge => "I do not know enough about this",
            Self::Other => "other",
        }
    }
}

/// A flag or a skip as a labeler raises it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewFlag {
    pub kind: FlagKind,
    pub reason: FlagReason,
    /// In the labeler's words; needed where the list has no reason.
    pub note: String,
}

impl NewFlag {
    /// Tidies the words and refuses what says nothing or too much.
    pub fn checked(mut self) -> Result<Self, Error> {
        self.note = check_words(&self.note)?;
        if self.reason == FlagReason::Other && self.note.is_empty() {
            return Err(Code::Missing.of("note", "describe the problem"));
        }
        Ok(self)
    }
}

/// What is said to a labeler about an assignment, without the space around it; refused if it is too long.
pub fn check_words(words: &str) -> Result<String, Error> {
    let words = words.trim().replace("\r\n", "\n");
    if words.chars().count() > LONGEST_NOTE {
        let why = format!("at most {LONGEST_NOTE} characters");
        return Err(Code::TooLong.of("note", why));
    }
    Ok(words)
}

/// A flag or a skip that stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RaisedFlag {
    pub kind: FlagKind,
    pub reason: FlagReason,
    pub note: String,
    pub raised_at: DateTime<Utc>,
}

/// What was said to a labeler when their assignment came back to them. It stands until they submit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReturnNote {
    pub note: String,
    /// Who says it is told by role alone: labelers meet nobody's name.
    pub by: Role,
    pub written_at: DateTime<Utc>,
}

/// What stands beside one assignment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssignmentNotes {
    pub flags: Vec<RaisedFlag>,
    pub note: Option<ReturnNote>,
}

impl AssignmentNotes {
    /// The mark of this kind, if it stands.
    pub fn find(&self, kind: FlagKind) -> Option<&RaisedFlag> {
        self.flags.iter().find(|flag| flag.kind == kind)
    }

    pub fn is_skipped(&self) -> bool {
        self.find(FlagKind::Skip).is_some()
    }
}

/// What stands beside a labeler's own assignment, for the page on which they work on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnAssignmentNotes {
    pub assignment: AssignmentId,
    pub project: ProjectId,
    pub document_name: String,
    /// Whether the assignment is handed in: what is handed in cannot be put aside.
    pub is_submitted: bool,
    pub notes: AssignmentNotes,
    /// Comments of the labeler's on this document.
    pub comments: u64,
}

/// The assignments of a document, for those who may give one back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentAssignments {
    pub project: ProjectId,
    pub document_name: String,
    /// Each with the note that stands beside it.
    pub assignments: Vec<(ReviewedAssignment, Option<String>)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_outside_the_list_needs_words() {
        let flag = |reason, note: &str| {
            NewFlag { kind: FlagKind::Flag, reason, note: note.to_owned() }.checked()
        };
        assert!(flag(FlagReason::Other, " \r\n ").is_err());
        assert_eq!(flag(FlagReason::Other, " torn ").unwrap().note, "torn");
        assert!(flag(FlagReason::Damaged, "").is_ok());
        assert!(flag(FlagReason::Damaged, &"é".repeat(LONGEST_NOTE + 1)).is_err());
    }

    #[test]
    fn names_are_read_back() {
        for reason in FlagReason::ALL {
            assert_eq!(reason.name().parse(), Ok(reason));
        }
        for kind in FlagKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
        }
    }
}
