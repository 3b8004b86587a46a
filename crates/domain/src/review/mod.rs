//! A reviewer's pass over a document: positions, how the labelers stand there, decisions.

mod accept_rule;
mod answers;
mod consensus;
mod disputes;
mod gold;
mod groups;
mod second_review;
mod walk;

pub use accept_rule::*;
pub use answers::*;
pub use consensus::*;
pub use disputes::*;
pub use gold::*;
pub use groups::*;
pub use second_review::*;
pub use walk::*;

use std::collections::BTreeSet;

use chrono::{DateTime, Utc, serde::ts_microseconds};
use serde::{Deserialize, Serialize};

use crate::{
    Attribute, DocumentId, Fact, Label, LabelSet, MemberId, Page, ProjectId, Range, Rater,
    ReviewId, Revision, UserId, WorkState,
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

named! {
    Verdict, Unknown, "verdict", "accept, relabel, reject or add";
    Accept = "accept", Relabel = "relabel", Reject = "reject", Add = "add",
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
    /// What is to be chosen of attributes of the labels.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub answers: BTreeSet<Fact>,
}

/// How the labelers stand on a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Standing {
    /// Everybody who has to finish this document has, and marked it with the same labels.
    Unanimous,
    /// At least two labelers marked it with different labels.
    Conflict,
    /// Some marked it, all with the same labels; others finished the document without it.
    OneSided,
    /// Whoever finished the document marked it with the same labels, but others are still to finish.
    Waiting,
    /// No labeler marked it: the reviewer added it.
    Added,
}

impl Standing {
    /// The standing of a position: for each labeler how far they are with the document, and what they
    /// gave the position; `quorum` is how many have to finish it.
    pub fn of<'a>(
        answers: impl IntoIterator<Item = (WorkState, Option<&'a LabelSet>)>,
        quorum: u64,
    ) -> Self {
        let (mut marked, mut finished, mut is_left_out) = (None, 0, false);
        for (state, given) in answers {
            let is_finished = state == WorkState::Submitted;
            finished += u64::from(is_finished);
            match (given, marked) {
                (Some(given), Some(other)) if given != other => return Self::Conflict,
                (Some(_), _) => marked = given,
                (None, _) => is_left_out |= is_finished,
            }
        }
        match marked {
            None => Self::Added,
            Some(_) if is_left_out => Self::OneSided,
            Some(_) if finished < quorum => Self::Waiting,
            Some(_) => Self::Unanimous,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Unanimous => "unanimous",
            Self::Conflict => "conflict",
            Self::OneSided => "marked by some",
            Self::Waiting => "waiting",
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
    /// What they chose on it.
    pub chosen: Vec<(MemberId, Fact)>,
    pub decision: Option<Decision>,
    /// The first position of the group that it is in, if it is in one.
    pub group: Option<Range>,
}

/// A labeler's assignment as the reviewer sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReviewedAssignment {
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
    /// What is asked of the spans of labels, and of the document.
    pub attributes: Vec<Attribute>,
    /// Of everybody who was given the document.
    pub assignments: Vec<ReviewedAssignment>,
    /// How many labelers have to finish the document before anything in it is unanimous.
    pub quorum: u64,
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
    /// What labelers answered about the document.
    pub chosen: Vec<(MemberId, Fact)>,
    /// The reviewer's own answers about it.
    pub answers: BTreeSet<Fact>,
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
    pub waiting: u64,
    pub decided: u64,
    /// The same by decisions: a group is one.
    pub decisions: DecisionCounts,
    pub state: WorkState,
    /// Whether this reviewer is asked to review it after another.
    pub second: bool,
}

/// A page of what a reviewer goes through: what is most in doubt comes first, what is finished last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewQueue {
    pub page: Page<ReviewCard>,
    /// The first document of the whole queue that waits for the reviewer.
    pub next: Option<DocumentId>,
}

/// How many decisions a document asks for: a position by itself is one, and so is a group of positions
/// that differ in their boundaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DecisionCounts {
    /// Groups.
    pub boundaries: u64,
    /// Positions by themselves, by standing.
    pub conflict: u64,
    pub one_sided: u64,
    pub waiting: u64,
    pub unanimous: u64,
    /// Positions that the reviewer added.
    pub added: u64,
    /// Of all: those that this reviewer has made; a group is decided when each of its positions is.
    pub decided: u64,
}

impl DecisionCounts {
    /// Counts a position by itself that labelers stand on so.
    pub const fn add(&mut self, standing: Standing) {
        match standing {
            Standing::Conflict => self.conflict += 1,
            Standing::OneSided => self.one_sided += 1,
            Standing::Waiting => self.waiting += 1,
            Standing::Unanimous => self.unanimous += 1,
            Standing::Added => self.added += 1,
        }
    }

    /// All decisions that there are.
    pub const fn total(self) -> u64 {
        self.boundaries
            + self.conflict
            + self.one_sided
            + self.waiting
            + self.unanimous
            + self.added
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LabelId, WorkState::*};

    fn standing(answers: &[(WorkState, i64)], quorum: u64) -> Standing {
        let sets: Vec<_> = answers
            .iter()
            .map(|(state, label)| (*state, (*label > 0).then(|| LabelSet::one(LabelId(*label)))))
            .collect();
        Standing::of(sets.iter().map(|(state, set)| (*state, set.as_ref())), quorum)
    }

    #[test]
    fn one_labeler_alone_is_never_unanimous() {
        assert_eq!(standing(&[(Submitted, 1)], 2), Standing::Waiting);
        assert_eq!(standing(&[(Submitted, 1), (Saved, 1)], 2), Standing::Waiting);
        assert_eq!(standing(&[(Submitted, 1), (Submitted, 1)], 2), Standing::Unanimous);
        assert_eq!(standing(&[(Submitted, 1), (Submitted, 1)], 3), Standing::Waiting);
    }

    #[test]
    fn only_who_finished_has_left_something_out() {
        assert_eq!(standing(&[(Submitted, 1), (Submitted, 0)], 2), Standing::OneSided);
        assert_eq!(standing(&[(Submitted, 1), (Saved, 0)], 2), Standing::Waiting);
        assert_eq!(standing(&[(Submitted, 1), (Saved, 2)], 2), Standing::Conflict);
        assert_eq!(standing(&[(Submitted, 0), (Saved, 0)], 2), Standing::Added);
    }
}
