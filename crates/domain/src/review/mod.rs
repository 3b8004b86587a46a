//! A reviewer's pass over a document: positions, how the labelers stand there, decisions.

mod accept_rule;
mod gold;
mod second_review;
mod walk;

pub use accept_rule::*;
pub use gold::*;
pub use second_review::*;
pub use walk::*;

use std::{fmt, str::FromStr};

use chrono::{DateTime, Utc, serde::ts_microseconds};
use serde::{Deserialize, Serialize};

use crate::{
    Code, DocumentId, Error, Label, LabelSet, MemberId, ProjectId, Range, Rater, ReviewId,
    Revision, UserId, WorkState,
};

/// What a reviewer did with a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Verdict {
    /// Took what at least one labeler marked.
    Accept,
    /// Gave a position that labelers marked another label.
    Relabel,
    /// Said that nothing is to be marked here: a judgement with the category ∅.
    Reject,
    /// Marked a position that no labeler marked.
    Add,
}

impl Verdict {
    pub const ALL: [Self; 4] = [Self::Accept, Self::Relabel, Self::Reject, Self::Add];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Relabel => "relabel",
            Self::Reject => "reject",
            Self::Add => "add",
        }
    }
}

impl Verdict {
    /// What it is called to say `labels` on a position that labelers gave these sets.
    pub fn of<'a>(labels: &LabelSet, marked: impl IntoIterator<Item = &'a LabelSet>) -> Self {
        let mut marked = marked.into_iter().peekable();
        if labels.is_empty() {
            Self::Reject
        } else if marked.peek().is_none() {
            Self::Add
        } else if marked.any(|given| given == labels) {
            Self::Accept
        } else {
            Self::Relabel
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Verdict {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|verdict| verdict.name() == name)
            .ok_or_else(|| Code::Unknown.of("verdict", "accept, relabel, reject or add"))
    }
}

/// A reviewer's decision on a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    pub range: Range,
    pub verdict: Verdict,
    /// What is to stand there; empty exactly for a reject.
    pub labels: LabelSet,
    #[serde(with = "ts_microseconds")]
    pub decided_at: DateTime<Utc>,
    /// Why, in the reviewer's words; empty without any.
    #[serde(default)]
    pub note: String,
}

/// How the labelers stand on a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Standing {
    /// Everybody who saved this document marked it, with the same labels.
    Unanimous,
    /// At least two labelers marked it with different labels.
    Conflict,
    /// Some marked it, all with the same labels; others did not.
    OneSided,
    /// No labeler marked it: the reviewer added it.
    Added,
}

impl Standing {
    /// The standing of a position that `marked` lists the label sets of, among `raters` labelers
    /// who saved the document.
    pub fn of(marked: &[&LabelSet], raters: usize) -> Self {
        match marked.split_first() {
            None => Self::Added,
            Some((first, rest)) if rest.iter().any(|other| other != first) => Self::Conflict,
            Some(_) if marked.len() == raters => Self::Unanimous,
            Some(_) => Self::OneSided,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Unanimous => "unanimous",
            Self::Conflict => "conflict",
            Self::OneSided => "one-sided",
            Self::Added => "added",
        }
    }
}

/// A position in review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewPosition {
    pub range: Range,
    pub standing: Standing,
    /// Who marked it, with which labels, in the order of the raters.
    pub marked: Vec<(MemberId, LabelSet)>,
    pub decision: Option<Decision>,
}

/// A labeler's copy as the reviewer sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReviewedCopy {
    pub rater: Rater,
    pub state: WorkState,
}

/// Everything the review screen needs to open a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewView {
    /// Who reviews: what a browser keeps of decisions that are not stored, it keeps for this person.
    pub person: UserId,
    pub document: DocumentId,
    pub project: ProjectId,
    pub project_name: String,
    pub document_name: String,
    pub text: String,
    pub labels: Vec<Label>,
    pub copies: Vec<ReviewedCopy>,
    /// The places of comments that are not settled, one for each.
    pub comments: Vec<Range>,
    /// The project's reasons for decisions; the first nine digits are their keys.
    pub reasons: Vec<String>,
    pub content: ReviewContent,
    /// What was chosen on spans, by labeler and position, in words.
    pub choices: Vec<(MemberId, Range, String)>,
    pub guidelines_html: String,
    pub previous: Option<DocumentId>,
    pub next: Option<DocumentId>,
    pub place: u64,
    pub places: u64,
}

/// The part of a review that decisions change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewContent {
    pub review: ReviewId,
    pub revision: Revision,
    pub state: WorkState,
    /// In order of position.
    pub positions: Vec<ReviewPosition>,
}

/// A document in the reviewer's list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReviewCard {
    pub document: DocumentId,
    pub document_name: String,
    /// Labelers who submitted, saved, and were assigned.
    pub submitted: u64,
    pub saved: u64,
    pub assigned: u64,
    /// Positions by standing, and how many of all have a decision of this reviewer.
    pub unanimous: u64,
    pub conflict: u64,
    pub one_sided: u64,
    pub decided: u64,
    pub state: WorkState,
    /// Whether this reviewer is asked to review it after another.
    pub second: bool,
}
