//! What raters said about a document: what agreement is counted from.

use chrono::{DateTime, Utc};

use crate::{DecidedAnswer, Decision, DocumentId, Fact, MemberId, RoundId, Span, WorkState};

/// Everything that raters said about one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentRatings {
    pub document: DocumentId,
    /// The round that the document belongs to.
    pub round: RoundId,
    /// How long its text is, in Unicode scalar values.
    pub characters: u32,
    /// In the order of the members.
    pub assignments: Vec<RatedAssignment>,
    /// In the order of the members.
    pub reviews: Vec<RatedReview>,
}

/// A labeler's saved assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedAssignment {
    pub member: MemberId,
    pub state: WorkState,
    /// When it was saved last.
    pub saved_at: DateTime<Utc>,
    /// In order of position, then label.
    pub spans: Vec<Span>,
    /// What was chosen on them, and on the document.
    pub choices: Vec<Fact>,
}

/// A reviewer's saved pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedReview {
    pub member: MemberId,
    pub state: WorkState,
    /// When it was saved last.
    pub saved_at: DateTime<Utc>,
    /// In order of position.
    pub decisions: Vec<Decision>,
    /// What was answered about the document.
    pub answers: Vec<DecidedAnswer>,
}
