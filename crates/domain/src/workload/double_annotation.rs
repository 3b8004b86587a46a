//! Which document's second annotation is expected to make agreement more certain than any other.

use serde::{Deserialize, Serialize};

use crate::{DocumentId, Measured, MemberId, Page, UndefinedReason};

/// Documents that one labeler alone has worked on, those first whose second annotation is expected
/// to shrink the interval most.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SecondView {
    /// α of all labelers, saved documents, cleaned.
    pub alpha: Measured,
    /// Documents and ratings that it is counted from.
    pub documents: u64,
    pub ratings: u64,
    /// What the formula says of the interval now; why it says nothing otherwise.
    pub now: Result<Precision, NoPrecision>,
    pub page: Page<SecondRow>,
}

/// How certain the pooled coefficient is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Precision {
    /// Half the width of the 95 % interval.
    pub half_width: f64,
    /// The share of ratings that disagree.
    pub disagreement: f64,
    /// How much positions of one document disagree together, from 0 to 1.
    pub correlation: f64,
}

/// Why nothing can be said of the interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoPrecision {
    /// The coefficient itself has no value.
    NoValue(UndefinedReason),
    /// Fewer than two documents were done twice.
    TooFewDocuments,
    /// All documents disagree alike, or none at all.
    NoVariance,
}

/// A document that waits for a second labeler.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SecondRow {
    pub document: DocumentId,
    pub name: String,
    /// Its place in the order of import, from 1.
    pub place: u64,
    /// Who has worked on it.
    pub labeler: MemberId,
    pub labeler_name: String,
    pub submitted: bool,
    /// Positions that they have marked.
    pub spans: u64,
    /// How many of them a second labeler is expected to mark, too, and how many of those otherwise.
    pub compared: f64,
    pub disagreeing: f64,
    /// Half the width of the interval with it.
    pub half_width: Option<f64>,
}
