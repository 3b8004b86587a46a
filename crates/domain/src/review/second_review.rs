//! A second reviewer on a sample: how much of what is reviewed is to be reviewed again, by whom, and
//! what was drawn.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{Code, DocumentId, Error, MemberId, SecondReviewId};

/// What a manager asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondReviewAsk {
    /// Who reviews a second time.
    pub reviewer: Option<MemberId>,
    /// How many of a hundred documents that others have reviewed, rounded up.
    pub percent: u32,
}

impl Default for SecondReviewAsk {
    fn default() -> Self {
        Self { reviewer: None, percent: 20 }
    }
}

impl SecondReviewAsk {
    /// Refuses what is out of range.
    pub fn checked(self) -> Result<Self, Error> {
        if (1..=100).contains(&self.percent) {
            Ok(self)
        } else {
            Err(Code::OutOfRange.of("percent", "from 1 to 100 percent"))
        }
    }
}

/// What would be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondReviewPlan {
    pub ask: SecondReviewAsk,
    pub seed: String,
    /// Documents whose review by somebody else is ended, and which the second reviewer has not begun.
    pub eligible: u64,
    pub chosen: Vec<(DocumentId, String)>,
    /// Stands for exactly these documents.
    pub seen: String,
}

/// A sample that was drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondReviewSample {
    pub id: SecondReviewId,
    pub reviewer: MemberId,
    pub reviewer_name: String,
    pub percent: u32,
    pub seed: String,
    pub made_at: DateTime<Utc>,
    /// None if the account is gone.
    pub made_by: Option<String>,
    pub documents: u64,
    /// Documents whose second review is ended.
    pub ended: u64,
    pub undone_at: Option<DateTime<Utc>>,
}

/// The manager's page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondReviewsView {
    /// Who can be asked.
    pub reviewers: Vec<(MemberId, String)>,
    /// None until somebody is chosen.
    pub plan: Option<Result<SecondReviewPlan, Error>>,
    /// The latest first.
    pub samples: Vec<SecondReviewSample>,
}
