//! The labeler's own page.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    AssignmentCard, AssignmentId, CopyMarks, CoverageView, Measured, OwnPool, OwnRepeats,
    StateCounts,
};

/// A labeler's progress and own agreement. Nothing in it tells of another person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OwnWork {
    pub project_name: String,
    pub counts: StateCounts,
    /// In the order of work, without those that were put aside.
    pub assignments: Vec<AssignmentCard>,
    /// Those that the labeler has put aside.
    pub skipped: Vec<AssignmentCard>,
    /// What stands beside copies, of those that have something.
    pub marks: Vec<(AssignmentId, CopyMarks)>,
    /// Threads that the labeler has begun.
    pub comments: u64,
    /// Whether a manager has paused the labeler's work: what is not begun is put away.
    pub paused: bool,
    /// None if documents are given out and not drawn.
    pub pool: Option<OwnPool>,
    /// Which of the copies were to be submitted by now.
    pub overdue: Vec<AssignmentId>,
    pub agreement: OwnAgreement,
    /// None if there is not enough to show, or not yet: it does not say which.
    pub consistency: Option<OwnRepeats>,
}

/// What the labeler may see of their own agreement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum OwnAgreement {
    /// This project shows labelers no agreement.
    Never,
    /// The manager has not released it yet.
    NotReleased,
    /// Against the reviewers, as of now.
    GoldOnly { reviewers: OwnValue },
    /// Pooled over peers and against the reviewers; `as_of` is the release, none if always open.
    Shown { peers: OwnValue, reviewers: OwnValue, as_of: Option<DateTime<Utc>> },
}

/// One pooled comparison of a labeler with others, over documents that both submitted; cleaned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OwnValue {
    pub kappa: Measured,
    pub alpha: Measured,
    /// Positions that were counted.
    pub n: u64,
    pub coverage: CoverageView,
}
