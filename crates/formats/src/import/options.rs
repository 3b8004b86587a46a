//! How files are read, where people may want it one way or the other.

use std::fmt;
use std::str::FromStr;

use crate::import::answer::Answer;
use crate::import::format::ImportFormat;

/// How files are read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// What all files are; none where each tells it itself.
    pub format: Option<ImportFormat>,
    /// What becomes of spans of several parts with text between.
    pub discontinuous: Discontinuous,
    /// Which of two annotations of one rater on one document counts.
    pub second: SecondAnnotation,
    /// Answers of which somebody says whether they count as judgements; else see
    /// [`Answer::is_judgement`].
    pub answers: Vec<(Answer, bool)>,
    /// The layers, columns or keys that spans are read from, by their names or the last part of
    /// these; where there are none, the format's default.
    pub layers: Vec<String>,
    /// The features that label the spans of layers: `Layer.feature`, or `Layer` for the layer's name;
    /// else `value`, `label`, or the only one with values.
    pub features: Vec<String>,
    /// The field of a task's data that is its text, in Label Studio's files; none for `text`, or the
    /// only one with a string.
    pub text_field: Option<String>,
}

impl ReadOptions {
    /// What a file is: what somebody says, else what its name and its beginning tell
    /// ([`ImportFormat::detect`]).
    pub fn format_of(&self, file_name: &str, beginning: &[u8]) -> Option<ImportFormat> {
        self.format.or_else(|| ImportFormat::detect(file_name, beginning))
    }

    /// Whether annotations of this state count as judgements.
    pub fn counts(&self, answer: Answer) -> bool {
        let said = self.answers.iter().rev().find(|(said, _)| *said == answer);
        said.map_or(answer.is_judgement(), |(_, counts)| *counts)
    }

    /// Whether a layer of this name is one that somebody asked for.
    pub(crate) fn asks_for(&self, layer: &str) -> bool {
        self.layers.iter().any(|asked| {
            layer.eq_ignore_ascii_case(asked)
                || layer
                    .rsplit(['.', ':'])
                    .next()
                    .is_some_and(|last| last.eq_ignore_ascii_case(asked))
        })
    }
}

/// What becomes of spans of several parts that have text between.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Discontinuous {
    /// Each is passed over, and counted.
    #[default]
    PassOver,
    /// Each becomes one span, from the start of its first part to the end of its last, and is
    /// counted.
    Join,
}

/// Which of a rater's annotations of one document counts, where there are two or more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SecondAnnotation {
    /// The last one in the file.
    #[default]
    Last,
    /// The first one.
    First,
    /// Each, as that of a rater of its own: `ana`, `ana (2)`.
    Each,
}

impl SecondAnnotation {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Last, Self::First, Self::Each];

    /// What it is called, in commands and addresses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Last => "last",
            Self::First => "first",
            Self::Each => "each",
        }
    }
}

impl fmt::Display for SecondAnnotation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for SecondAnnotation {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let expected = || format!("expected one of {}", Self::ALL.map(Self::name).join(", "));
        Self::ALL.into_iter().find(|second| second.name() == name).ok_or_else(expected)
    }
}
