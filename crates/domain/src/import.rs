//! What an import would do, or why it does nothing.

use serde::{Deserialize, Serialize};

/// One thing that is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ImportProblem {
    pub file: String,
    /// From 1.
    pub line: Option<u64>,
    pub field: Option<String>,
    pub message: String,
}

/// What importing these files would bring, or what is wrong with them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ImportPreview {
    pub files: Vec<FilePreview>,
    /// At most the first hundred; `problem_count` counts them all.
    pub problems: Vec<ImportProblem>,
    pub problem_count: u64,
    /// Labels that the files use and the project does not have.
    pub new_labels: Vec<String>,
}

/// What one file would bring.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FilePreview {
    pub name: String,
    /// "plain text", "JSON lines", "CoNLL-2003"; none if it is of no known kind.
    pub format: Option<String>,
    pub documents: u64,
    pub characters: u64,
    pub spans: u64,
    /// The first few documents: name and beginning of the text.
    pub samples: Vec<(String, String)>,
    /// What was understood in a way worth telling, and what was passed over: the first of it.
    pub notes: Vec<String>,
}

/// What an import brought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ImportSummary {
    pub documents: u64,
    pub suggestions: u64,
    pub assignments: u64,
}
