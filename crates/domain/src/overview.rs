//! What a manager sees of a project first: how good agreement is, what it fails on, how far the work
//! is, and what to do next.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    Confidence, DocumentPart, Headlines, Label, LabelId, LabelSet, MemberId, PersonPart, ProjectId,
    Revision, SecondRow, StateCounts, TimeValue,
};

/// A project at a glance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Overview {
    pub project: ProjectId,
    pub revision: Revision,
    /// α of all labelers, once for each policy: the two are always told together.
    pub headlines: Headlines,
    /// How each of them came there.
    pub courses: Vec<Course>,
    /// On which days guidelines changed, and to which version.
    pub guidelines: Vec<(NaiveDate, i64)>,
    pub labels: Vec<Label>,
    /// Those who agree with the other labelers least, worst first.
    pub people: Vec<PersonPart>,
    /// The judgements that labelers give the same positions, most positions first.
    pub confusions: Vec<Confusion>,
    /// The documents with disputes that nobody has decided, lowest agreement first.
    pub documents: Vec<DocumentPart>,
    pub funnel: Funnel,
    pub pace: Pace,
    /// What to do next, what repairs most first.
    pub advice: Vec<Advice>,
    /// What people did of late, the latest first.
    pub sittings: Vec<Sitting>,
}

/// How the value of all labelers came where it is, as far as that is known at once.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Course {
    /// The value of all days up to each.
    pub days: Vec<(NaiveDate, TimeValue)>,
    /// The last round with a value against the one before it.
    pub change: Option<HeadlineChange>,
}

/// How much higher the last round's value is than that of the round before.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeadlineChange {
    /// The numbers of the rounds, the earlier one first.
    pub rounds: (u64, u64),
    pub by: f64,
    pub confidence: Confidence,
}

/// Two judgements that labelers gave the same positions; the empty set is a position that somebody
/// did not mark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confusion {
    pub one: LabelSet,
    pub other: LabelSet,
    pub positions: u64,
}

/// From documents to the gold standard: each number is a part of one before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Funnel {
    pub documents: u64,
    /// Documents that a labeler has submitted.
    pub annotated: u64,
    /// Documents that two labelers have submitted.
    pub compared: u64,
    /// Positions that a labeler marked in those.
    pub positions: u64,
    /// Positions on which the labelers differ.
    pub disputed: u64,
    /// Positions in dispute that no reviewer has decided.
    pub undecided: u64,
    /// The decisions that these ask for: a group that differs in its boundaries is one.
    pub decisions: u64,
}

impl Funnel {
    /// Positions whose labels are settled: all labelers agree, or a reviewer has decided.
    pub const fn settled(self) -> u64 {
        self.positions.saturating_sub(self.undecided)
    }
}

/// How fast assignments are submitted, and when the last one is expected.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pace {
    pub counts: StateCounts,
    /// Assignments submitted on each of the last days, the earliest first; none without any.
    pub days: Vec<(NaiveDate, u64)>,
    /// Of a day.
    pub mean: f64,
    /// The first and the last day on which the rest is expected to be done; none where nobody can
    /// tell, and no last day where the pace may be zero.
    pub done: Option<(NaiveDate, Option<NaiveDate>)>,
}

/// Something that is worth doing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Advice {
    pub what: AdviceKind,
    /// Positions that are expected to be settled, agreed on or compared by it.
    pub repairs: f64,
}

/// How somebody's agreement fell, beyond chance: the shares of comparisons that agree in the first and in
/// the second half of their documents.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drift {
    pub before: f64,
    pub after: f64,
}

/// What is worth doing, with what speaks for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum AdviceKind {
    /// Decide positions in dispute, by so many decisions.
    Decide { positions: u64, decisions: u64 },
    /// Tell apart, in the guidelines, two judgements that are taken for each other.
    Clarify { confusion: Confusion, disputed: u64 },
    /// Talk with somebody who differs from the others more than these among themselves.
    Retrain {
        member: MemberId,
        name: String,
        /// The share of comparisons with the others that agree, and that of the others among
        /// themselves.
        share: f64,
        rest: f64,
        weak: Option<LabelId>,
        drift: Option<Drift>,
    },
    /// Give work to those who have nothing left.
    Assign { idle: u64, documents: u64 },
    /// Ask for what is overdue.
    Remind { overdue: u64, people: u64 },
    /// Answer open threads, and flags of documents.
    Answer { threads: u64, flags: u64 },
    /// Have a document annotated a second time.
    Annotate { row: SecondRow },
}

/// What one person did without a long break.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sitting {
    pub name: String,
    pub from: DateTime<Utc>,
    pub to: DateTime<Utc>,
    /// The names of the events of the audit trail and how many there were, most first.
    pub deeds: Vec<(String, u64)>,
}
