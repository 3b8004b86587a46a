//! The labeler's own page.

mod assignment;
mod comment;
mod flag;
mod focus;
mod history;
mod ratings;
mod repeat;
mod saving;

pub use assignment::*;
pub use comment::*;
pub use flag::*;
pub use focus::*;
pub use history::*;
pub use ratings::*;
pub use repeat::*;
pub use saving::*;

use serde::{Deserialize, Serialize};

use crate::{AssignmentCard, AssignmentId, Label, OwnAgreement, OwnPool, StateCounts};

/// How many documents a labeler submits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnPace {
    pub today: u64,
    /// On a day on which they submitted any, today left out; none without such a day.
    pub usual: Option<u64>,
}

/// A labeler's progress and own agreement. Nothing in it tells of another person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OwnWork {
    pub project_name: String,
    pub counts: StateCounts,
    /// In the order of work, without those that were put aside.
    pub assignments: Vec<AssignmentCard>,
    /// Those that the labeler has put aside.
    pub skipped: Vec<AssignmentCard>,
    /// What stands beside assignments, of those that have something.
    pub notes: Vec<(AssignmentId, AssignmentNotes)>,
    /// Threads that the labeler has begun.
    pub comments: u64,
    /// Whether a manager has paused the labeler's work: what is not begun is put away.
    pub paused: bool,
    /// None if documents are given out and not drawn.
    pub pool: Option<OwnPool>,
    /// Which of the assignments were to be submitted by now.
    pub overdue: Vec<AssignmentId>,
    pub pace: OwnPace,
    pub agreement: OwnAgreement,
    /// The project's labels, to name those that the agreement tells of.
    pub labels: Vec<Label>,
    /// None if there is not enough to show, or not yet: it does not say which.
    pub consistency: Option<OwnRepeats>,
}
