//! Agreement over time: what the page shows, and the switches in its address.

use std::{fmt, str::FromStr};

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::{
    AttributeId, Confidence, DocumentId, Documents, Error, Filter, GuidelinesVersion, Measured,
    PolicyChoice, ProjectId, Revision, Round, ScaleChoice, SeveralMeasure, Switches,
};

switch! {
    /// Whose agreement is followed over time.
    TimeSubject {
        /// All labelers at once.
        Labelers = "labelers",
        /// Every labeler with every reviewer, pooled.
        Reviewers = "reviewers",
    }
}

/// The switches of agreement over time; all of them stand in the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct TimeSwitches {
    pub subject: TimeSubject,
    pub measure: SeveralMeasure,
    pub policy: PolicyChoice,
    pub documents: Documents,
    /// How values are read; it changes none of them.
    pub scale: ScaleChoice,
    /// What was answered to it, in the place of labels.
    pub question: Option<AttributeId>,
}

impl Default for TimeSwitches {
    /// α: the measure that takes documents with any number of raters as they come.
    fn default() -> Self {
        Self {
            subject: TimeSubject::default(),
            measure: SeveralMeasure::Alpha,
            policy: PolicyChoice::default(),
            documents: Documents::default(),
            scale: ScaleChoice::default(),
            question: None,
        }
    }
}

impl TimeSwitches {
    /// The same numbers: the switches with the scale on its default.
    #[must_use]
    pub fn without_scale(self) -> Self {
        Self { scale: ScaleChoice::default(), ..self }
    }

    /// Whether it can be followed: refuses positions that are of two raters each, since many are pooled, and
    /// answers by other than exact positions.
    pub fn check(self) -> Result<(), Error> {
        if self.question.is_some() {
            self.policy.check_exact()?;
        }
        self.policy.check_common()
    }

    /// The switches of the matrix that count the same.
    pub fn of_matrix(self) -> Switches {
        let Self { policy, documents, scale, question, .. } = self;
        let filter = Filter::of_question(question);
        Switches { policy, documents, scale, filter, ..Switches::default() }
    }
}

/// A value with all that is needed to judge it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimeValue {
    pub measured: Measured,
    pub confidence: Confidence,
    /// Positions that were counted.
    pub n: u64,
    /// Documents that were compared.
    pub documents: u64,
}

/// A day, in UTC, on which the comparison of documents was completed: on which the last of the
/// assignments that are compared was saved last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DayPoint {
    pub day: NaiveDate,
    /// Of the documents of this day.
    pub of_day: TimeValue,
    /// Of the documents of this day and all days before it.
    pub up_to: TimeValue,
    /// The first documents of this day, with their names.
    pub documents: Vec<(DocumentId, String)>,
    /// How many more there are.
    pub left: u64,
}

/// A round and the agreement on its documents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoundPoint {
    pub round: Round,
    pub value: TimeValue,
    /// Against the last round before it that has a value.
    pub change: Option<RoundChange>,
}

/// How much higher a round's value is than that of a round before.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoundChange {
    /// The number of the round that it is compared with.
    pub since: u64,
    pub by: f64,
    /// Of the difference: no document belongs to both rounds, so both are resampled independently.
    pub confidence: Confidence,
}

/// Agreement over time at one revision of the project.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimeView {
    pub project: ProjectId,
    pub revision: Revision,
    /// Whether values of a later revision are being computed; before the first ones there are no days.
    pub pending: bool,
    pub switches: TimeSwitches,
    /// How many there are to compare.
    pub labelers: u64,
    pub reviewers: u64,
    /// In order; days without work are left out.
    pub days: Vec<DayPoint>,
    /// The first one first.
    pub rounds: Vec<RoundPoint>,
    /// The newest first.
    pub versions: Vec<GuidelinesVersion>,
}

/// What the form that starts a round is filled with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NextRound {
    /// The present guidelines in Markdown.
    pub guidelines: String,
    /// How many documents nobody has saved work on: these move into the new round.
    pub untouched: u64,
}
