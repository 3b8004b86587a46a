//! What tools say of an annotation beside its spans, and whether it is a judgement.

use std::fmt;
use std::str::FromStr;

/// A state of an annotation in the tool that it is from, other than plainly done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Answer {
    /// Prodigy's `reject`: the suggestion was wrong, and nobody said what is right.
    Rejected,
    /// Prodigy's `ignore` and Label Studio's `was_cancelled`: the annotator passed the text over.
    Skipped,
    /// Label Studio's predictions: what a model says.
    Prediction,
    /// doccano's examples that nobody has approved.
    Unapproved,
    /// Work of INCEpTION that its annotator has not finished.
    InProgress,
}

impl Answer {
    /// Every state, in the order of the documentation.
    pub const ALL: [Self; 5] =
        [Self::Rejected, Self::Skipped, Self::Prediction, Self::Unapproved, Self::InProgress];

    /// What it is called, in commands and in notes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rejected => "rejected",
            Self::Skipped => "skipped",
            Self::Prediction => "predicted",
            Self::Unapproved => "unapproved",
            Self::InProgress => "in-progress",
        }
    }

    /// Whether it is a judgement unless somebody says otherwise.
    pub const fn is_judgement(self) -> bool {
        matches!(self, Self::Unapproved)
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for Answer {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let expected = || format!("expected one of {}", Self::ALL.map(Self::name).join(", "));
        Self::ALL.into_iter().find(|answer| answer.name() == name).ok_or_else(expected)
    }
}
