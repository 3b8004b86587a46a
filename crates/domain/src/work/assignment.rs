//! One labeler's assignment: its states, and what the editor opens.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc, serde::ts_microseconds_option};
use serde::{Deserialize, Serialize};

use crate::{
    AssignmentId, Code, Error, Fact, Label, LabelDetail, OwnKeys, ProjectId, Revision, Span,
    UserId, base::collect_unsorted,
};

/// How far a labeler's assignment, or a reviewer's pass, has come.
///
/// ```text
/// open --save--> saved --submit--> submitted --reopen--> saved
/// open --submit--> submitted     (nothing to mark is an answer, too)
/// ```
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum WorkState {
    /// Nothing has been saved yet.
    #[default]
    Open,
    /// Work was saved and goes on.
    Saved,
    /// Handed in: absence of a span is a judgement from here on.
    Submitted,
}

named! {
    WorkState, Unknown, "state", "a state is open, saved or submitted";
    Open = "open", Saved = "saved", Submitted = "submitted",
}

impl WorkState {
    /// The state after a save.
    pub fn saved(self) -> Result<Self, Error> {
        match self {
            Self::Open | Self::Saved => Ok(Self::Saved),
            Self::Submitted => {
                Err(Code::Submitted.because("this document is submitted; reopen it to change it"))
            }
        }
    }

    /// The state after handing in.
    pub fn submitted(self) -> Result<Self, Error> {
        match self {
            Self::Open | Self::Saved => Ok(Self::Submitted),
            Self::Submitted => {
                Err(Code::AlreadySubmitted.because("this document is already submitted"))
            }
        }
    }

    /// The state after taking a submission back.
    pub fn reopened(self) -> Result<Self, Error> {
        match self {
            Self::Submitted => Ok(Self::Saved),
            Self::Open | Self::Saved => {
                Err(Code::NotSubmitted.because("this document is not submitted"))
            }
        }
    }

    /// Whether the work has been saved at least once.
    pub const fn has_work(self) -> bool {
        matches!(self, Self::Saved | Self::Submitted)
    }
}

/// Everything the editor needs to open a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssignmentView {
    pub id: AssignmentId,
    /// Whose assignment it is: what a browser keeps of unsaved work, it keeps for this person.
    pub person: UserId,
    pub project: ProjectId,
    pub project_name: String,
    pub document_name: String,
    pub text: String,
    /// Those of a group together, in the order of the label set.
    pub labels: Vec<Label>,
    /// What is said of the labels beyond their names, descriptions as safe HTML.
    pub details: Vec<LabelDetail>,
    pub content: AssignmentContent,
    /// Spans that came with the imported file: offered, never counted until taken.
    pub suggestions: Vec<Span>,
    /// Spans that labelers agree on in other documents: offered likewise.
    pub agreed: Vec<Span>,
    /// The keys that the labeler has given commands.
    pub keys: OwnKeys,
    /// The guidelines as safe HTML.
    pub guidelines_html: String,
    /// The labeler's documents before and after this one.
    pub previous: Option<AssignmentId>,
    pub next: Option<AssignmentId>,
    /// What the labeler is to go on with once this is submitted.
    pub unfinished: Option<AssignmentId>,
    /// "3 of 12": this document's place in the labeler's list, from 1.
    pub place: u64,
    pub places: u64,
}

/// The part of an assignment that saves change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssignmentContent {
    pub revision: Revision,
    pub state: WorkState,
    #[serde(with = "ts_microseconds_option")]
    pub saved_at: Option<DateTime<Utc>>,
    /// In order of position, then label.
    pub spans: Vec<Span>,
    /// What was chosen on them, in the same order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Fact>,
}

impl AssignmentContent {
    /// Everything that is so in the assignment.
    pub fn facts(&self) -> BTreeSet<Fact> {
        collect_unsorted(
            self.spans.iter().copied().map(Fact::from).chain(self.choices.iter().copied()),
        )
    }
}
