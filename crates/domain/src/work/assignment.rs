//! One labeler's copy of a document: its states, and what the editor opens.

use std::{collections::BTreeSet, fmt, str::FromStr};

use chrono::{DateTime, Utc, serde::ts_microseconds_option};
use serde::{Deserialize, Serialize};

use crate::{
    AssignmentId, Code, Error, Fact, Label, LabelDetail, OwnKeys, ProjectId, Revision, Span,
    UserId, base::gathered,
};

/// How far a labeler's copy, or a reviewer's pass, has come.
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
    /// Handed in: absence of a mark is a judgement from here on.
    Submitted,
}

impl WorkState {
    pub const ALL: [Self; 3] = [Self::Open, Self::Saved, Self::Submitted];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Saved => "saved",
            Self::Submitted => "submitted",
        }
    }

    /// The state after a save.
    pub fn saved(self) -> Result<Self, Error> {
        match self {
            Self::Open | Self::Saved => Ok(Self::Saved),
            Self::Submitted => {
                Err(Code::Submitted
                    .because("this document is submitted; reopen it before changing it"))
            }
        }
    }

    /// The state after handing in.
    pub fn submitted(self) -> Result<Self, Error> {
        match self {
            Self::Open | Self::Saved => Ok(Self::Submitted),
            Self::Submitted => {
                Err(Code::AlreadySubmitted.because("this document is submitted already"))
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

impl fmt::Display for WorkState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for WorkState {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|state| state.name() == name)
            .ok_or_else(|| Code::Unknown.of("state", "a state is open, saved or submitted"))
    }
}

/// Everything the editor needs to open a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssignmentView {
    pub id: AssignmentId,
    /// Whose copy it is: what a browser keeps of unsaved work, it keeps for this person.
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
    /// Everything that is so in the copy.
    pub fn facts(&self) -> BTreeSet<Fact> {
        gathered(self.spans.iter().copied().map(Fact::from).chain(self.choices.iter().copied()))
    }
}
