//! What a labeler writes to the reviewer about a place or a document, and what is answered.

use std::{fmt, str::FromStr};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    AssignmentId, Code, CommentThreadId, DocumentId, Error, MemberId, Page, ProjectId, Range, Role,
};

/// The most characters of a comment.
pub const LONGEST_COMMENT: usize = 2_000;

/// The words of a comment without the space around them; refused if there are none or too many.
pub fn check_comment(words: &str) -> Result<String, Error> {
    let words = words.trim().replace("\r\n", "\n");
    if words.is_empty() {
        return Err(Code::Missing.of("words", "write a comment first"));
    }
    if words.chars().count() > LONGEST_COMMENT {
        let why = format!("a comment has at most {LONGEST_COMMENT} characters");
        return Err(Code::TooLong.of("words", why));
    }
    Ok(words)
}

/// Where in a text a comment is about, as addresses write it: "12-20".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place(pub Range);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.0.start, self.0.end)
    }
}

impl FromStr for Place {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || Code::Malformed.of("at", "a place is two offsets, as in 12-20");
        let (start, end) = text.split_once('-').ok_or_else(wrong)?;
        let number = |text: &str| text.parse::<u32>().map_err(|_| wrong());
        let (start, end) = (number(start)?, number(end)?);
        if start >= end {
            return Err(wrong());
        }
        Ok(Self(Range::new(start, end)))
    }
}

/// One comment of a thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comment {
    /// Who wrote it, as the viewer may know them: a labeler reads "Reviewer", never a name.
    pub by: String,
    pub role: Role,
    pub words: String,
    pub written_at: DateTime<Utc>,
}

/// What was written about a place, or about the whole document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommentThread {
    /// To the labeler who began it, its number among their own on the document.
    pub id: CommentThreadId,
    pub document: DocumentId,
    pub document_name: String,
    /// The labeler who began it.
    pub member: MemberId,
    /// None for the whole document.
    pub range: Option<Range>,
    /// What stands there, cut to what one line holds.
    pub quote: String,
    /// Whether the labeler has a span there now.
    pub is_marked: bool,
    /// The first is what the labeler wrote.
    pub comments: Vec<Comment>,
    /// Since when nothing more is to be said, as far as the viewer may know.
    pub settled_at: Option<DateTime<Utc>>,
}

/// Threads of one document, or of one labeler's assignment of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentComments {
    pub project: ProjectId,
    pub document: DocumentId,
    pub document_name: String,
    /// The labeler's own assignment, on their own page.
    pub assignment: Option<AssignmentId>,
    /// In order of position, those on the whole document first.
    pub threads: Vec<CommentThread>,
    /// The place that is asked about, with its words.
    pub at: Option<(Range, String)>,
    /// Whether answers that may have been written are not shown yet.
    pub waits: bool,
}

/// Which threads are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ThreadFilter {
    #[default]
    Open,
    Settled,
    All,
}

named! {
    ThreadFilter, Unknown, "state", "open, settled or all";
    Open = "open", Settled = "settled", All = "all",
}

/// A page of a project's threads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectComments {
    /// Whether the viewer reviews, and so can look at a place where it is reviewed.
    pub reviews: bool,
    pub filter: ThreadFilter,
    /// The latest first.
    pub threads: Page<CommentThread>,
    pub open: u64,
    pub settled: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_it_is_written() {
        let place = Place(Range::new(3, 14));
        assert_eq!(place.to_string().parse::<Place>().unwrap(), place);
        for wrong in ["", "3", "3-3", "14-3", "-1-4", "a-b", "3-99999999999"] {
            assert!(wrong.parse::<Place>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_comment_has_words_but_not_too_many() {
        assert!(check_comment(" \n ").is_err());
        assert_eq!(check_comment(" a\r\nb ").unwrap(), "a\nb");
        assert!(check_comment(&"é".repeat(LONGEST_COMMENT)).is_ok());
        assert!(check_comment(&"é".repeat(LONGEST_COMMENT + 1)).is_err());
    }
}
