//! Time on task: for how long somebody had a document before them and worked on it, in whole
//! minutes. Nothing finer is kept.

use serde::{Deserialize, Serialize};

use crate::{AssignmentId, DocumentId, MemberId, Role};

/// What somebody works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Task {
    /// A labeler, on their assignment.
    Assignment(AssignmentId),
    /// A reviewer, on their pass over a document.
    Review(DocumentId),
}

/// The most minutes that one report may bring: what a browser has gathered while it was offline.
pub const MOST_MINUTES: u32 = 60;

/// Why there is no median.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoTime {
    /// No whole minute has been measured.
    NothingMeasured,
    /// Minutes have been measured, on documents that are not finished.
    NothingFinished,
}

impl NoTime {
    pub const fn words(self) -> &'static str {
        match self {
            Self::NothingMeasured => "nothing measured yet",
            Self::NothingFinished => "no finished document measured yet",
        }
    }
}

/// What the documents took that somebody has finished and that were measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Medians {
    pub documents: u64,
    /// Minutes for a document.
    pub per_document: f64,
    /// Minutes for 1,000 characters of a document.
    pub per_thousand: f64,
}

/// Somebody's time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimeSpent {
    /// On all documents, finished or not.
    pub minutes: u64,
    pub medians: Result<Medians, NoTime>,
}

/// The time of one of a project's people.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PersonTime {
    pub member: MemberId,
    pub name: String,
    pub role: Role,
    pub time: TimeSpent,
}

/// The times of a project's people, and whether they are measured at present.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimeBoard {
    pub is_measured: bool,
    /// Labelers first.
    pub people: Vec<PersonTime>,
}

/// What somebody is told of their own time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OwnTime {
    pub is_measured: bool,
    pub time: TimeSpent,
}
