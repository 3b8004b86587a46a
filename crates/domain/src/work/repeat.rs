//! Silent repeats: documents that labelers have submitted are given to them a second time, so that
//! it shows whether they agree with themselves.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    Code, Confidence, CoverageView, DocumentId, Error, Measured, MemberId, RepeatBatchId,
    StateCounts,
};

/// How many repeats somebody is given at once at most, and the longest wait before, in days.
pub const MAX_REPEATS: u32 = 200;
const MAX_DAYS: u32 = 365;

/// What a manager asks for: so many documents for each labeler, of those that they submitted at
/// least so many days ago.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepeatAsk {
    pub documents: u32,
    pub days: u32,
}

impl Default for RepeatAsk {
    /// A week is what memory is usually given to fade.
    fn default() -> Self {
        Self { documents: 5, days: 7 }
    }
}

impl RepeatAsk {
    /// Refuses what is out of range.
    pub fn checked(self) -> Result<Self, Error> {
        if !(1..=MAX_REPEATS).contains(&self.documents) {
            let why = format!("from 1 to {MAX_REPEATS} documents per labeler");
            return Err(Code::OutOfRange.of("documents", why));
        }
        if self.days > MAX_DAYS {
            return Err(Code::OutOfRange.of("days", format!("at most {MAX_DAYS} days")));
        }
        Ok(self)
    }
}

/// The manager's page: what was given so far, and what would be given now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepeatsView {
    pub plan: RepeatPlan,
    /// The latest first.
    pub batches: Vec<RepeatBatch>,
}

/// What would be given now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepeatPlan {
    pub ask: RepeatAsk,
    /// What the documents are drawn with.
    pub seed: String,
    /// Each labeler's share, in the order of the members.
    pub shares: Vec<RepeatShare>,
    /// Stands for exactly these documents: giving is refused if they would be others by then.
    pub seen: String,
}

impl RepeatPlan {
    /// How many repeats that makes.
    pub fn total(&self) -> usize {
        self.shares.iter().map(|share| share.chosen.len()).sum()
    }
}

/// What one labeler would be given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepeatShare {
    pub member: MemberId,
    pub name: String,
    /// Documents that the labeler has submitted, and not had back, so long ago.
    pub eligible: u64,
    /// Those that were drawn, in the order of the documents.
    pub chosen: Vec<(DocumentId, String)>,
}

/// Repeats that were given at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepeatBatch {
    pub id: RepeatBatchId,
    pub ask: RepeatAsk,
    pub seed: String,
    pub given_at: DateTime<Utc>,
    /// The name of whoever gave them, where the account still exists.
    pub given_by: Option<String>,
    pub labelers: u64,
    pub counts: StateCounts,
}

/// How far a labeler agrees with themselves, over documents that they submitted twice. Positions
/// and policies are those of a pair of raters, with the first pass as the row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SelfPart {
    pub documents: u64,
    pub measured: Measured,
    pub confidence: Confidence,
    pub comparisons: u64,
    pub agreements: u64,
    pub coverage: CoverageView,
}

/// What labelers are shown of how far they agree with themselves, pooled over all repeats of batches
/// that they have finished: Cohen's κ and Krippendorff's α of the places marked both times, and F1 of
/// all of them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OwnRepeats {
    pub kappa: SelfPart,
    pub alpha: SelfPart,
    pub f1: SelfPart,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ask_out_of_range_is_refused_by_field() {
        let field = |documents, days| match (RepeatAsk { documents, days }).checked() {
            Err(Error::Invalid { field, .. }) => Some(field),
            _ => None,
        };
        assert_eq!(field(0, 7).as_deref(), Some("documents"));
        assert_eq!(field(MAX_REPEATS + 1, 7).as_deref(), Some("documents"));
        assert_eq!(field(1, MAX_DAYS + 1).as_deref(), Some("days"));
        assert_eq!(field(1, 0), None);
        assert!(RepeatAsk::default().checked().is_ok());
    }
}
