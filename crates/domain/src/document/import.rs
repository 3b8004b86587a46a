//! What an import would do, or why it does nothing.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{Error, ImportId, ImportProblem, MemberId, RaterFiles, RatersFrom};

/// What the spans in files become.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ImportAs {
    /// Offered to labelers, never counted.
    #[default]
    Suggestions,
    /// The saved work of the people who made them.
    Work,
}

/// Whose work the spans of a person in files become.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PersonChoice {
    /// A labeler of the project.
    Member(MemberId),
    /// The labeler of the project who has this address.
    Email(String),
    /// A new labeler who cannot sign in before somebody claims the place.
    Placeholder,
    /// A model of the project, which is added if there is none of this name and version.
    Model { name: String, version: String },
    /// Nobody's: these spans stay out.
    LeaveOut,
}

/// What a label in files becomes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum LabelChoice {
    /// The project's label of this name.
    Label(String),
    /// A new label of the same name.
    Create,
    /// Nothing: its spans stay out.
    LeaveOut,
}

impl PersonChoice {
    /// A model as it is written in one piece, after `model:`: its name and its version, with a colon between
    /// that is the last of them.
    pub fn model(written: &str) -> Self {
        let (name, version) = written.rsplit_once(':').unwrap_or((written, ""));
        Self::Model { name: name.to_owned(), version: version.to_owned() }
    }
}

/// What people and labels in files become where that does not follow from their names. A person
/// is the labeler of the same name or address, or else a new placeholder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct ImportMapping {
    pub people: BTreeMap<String, PersonChoice>,
    pub labels: BTreeMap<String, LabelChoice>,
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
    /// Every label of the files with what it becomes; none for one that has nothing to become.
    pub labels: Vec<LabelPreview>,
    /// Every question of the files.
    #[serde(default)]
    pub questions: Vec<QuestionPreview>,
    /// What work there is in the files; none where marks become suggestions.
    pub work: Option<WorkPreview>,
}

/// A question about the spans of a label, or about documents, that files answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct QuestionPreview {
    /// The project's label; none of a question about documents.
    #[serde(default)]
    pub label: Option<String>,
    pub name: String,
    /// Whether the project does not ask it yet.
    pub is_new: bool,
    /// Each answer with how often it is given.
    pub answers: Vec<(String, u64)>,
    /// Why it is left out with all answers to it; none if it comes.
    #[serde(default)]
    pub left_out: Option<String>,
}

/// A label of files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LabelPreview {
    pub name: String,
    pub spans: u64,
    pub choice: Option<LabelChoice>,
}

/// Whose work is in files, and what it would change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WorkPreview {
    /// What told the people: as it was chosen, or as it was inferred.
    pub raters_from: RatersFrom,
    pub people: Vec<PersonPreview>,
    /// The labelers whose work it may become.
    pub labelers: Vec<(MemberId, String)>,
    /// The models whose work it may become: name and version.
    pub models: Vec<(String, String)>,
    pub changes: ImportChanges,
    /// How documents and people were understood.
    pub notes: Vec<String>,
}

/// A person of files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PersonPreview {
    #[serde(flatten)]
    pub from: RaterFiles,
    pub choice: PersonChoice,
}

/// What work in files is against what a project has. Assignments are counted, one for each document
/// and person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ImportChanges {
    pub new_documents: u64,
    pub known_documents: u64,
    /// Assignments that would get work.
    pub new: u64,
    /// Assignments that have the same spans already.
    pub same: u64,
    /// Assignments that have other spans and keep them.
    pub kept: u64,
    /// Assignments that have other spans, for which the import is refused.
    pub refused: u64,
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
    /// By which it can be looked at again, and undone.
    pub import: ImportId,
    /// New ones.
    pub documents: u64,
    pub suggestions: u64,
    /// Assignments that were given to labelers, without work in them.
    pub assignments: u64,
    /// Assignments that got people's work, and the spans in them.
    #[serde(rename = "copies")]
    pub worked: u64,
    /// Documents that got work of models, once for each model; their spans are among `spans`.
    #[serde(default)]
    pub model_documents: u64,
    pub spans: u64,
    /// New labelers whom nobody has claimed yet.
    pub placeholders: u64,
    /// New labels.
    pub labels: u64,
    /// New questions about spans and documents.
    #[serde(default)]
    pub questions: u64,
    /// Answers to questions about spans and documents.
    #[serde(default)]
    pub answers: u64,
    /// What work was against what was there.
    pub changes: ImportChanges,
}

/// How far an import has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ImportState {
    Running,
    Done,
    /// Refused or broken; nothing of it is there.
    Failed,
    /// Nothing of it is there.
    Cancelled,
    /// What it brought was taken away again.
    Undone,
}

named! {
    ImportState, Unknown, "state", "unknown import state";
    Running = "running", Done = "done", Failed = "failed", Cancelled = "cancelled",
    Undone = "undone",
}

/// How many documents of an import were looked at, and stored after that: at first where nobody sees them
/// and then, once it is decided that they come, in the project.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ImportProgress {
    pub read: u64,
    pub stored: u64,
    /// Whether all were looked at, so that `read` is how many there are to store.
    pub all_read: bool,
}

/// An import as the project's managers see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ImportRecord {
    pub id: ImportId,
    pub state: ImportState,
    /// Whether it is certain to bring what is in the files: it can be undone, but not cancelled any more.
    #[serde(default)]
    pub is_decided: bool,
    #[serde(rename = "marks")]
    pub import_as: ImportAs,
    /// The person's name; none for the command line, or if the account is gone.
    pub made_by: Option<String>,
    pub made_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
    /// The names of the first files, and how many there were.
    pub files: Vec<String>,
    pub file_count: u64,
    /// Of one that runs on this server.
    pub progress: Option<ImportProgress>,
    /// Of one that was carried out, also after it was undone.
    pub summary: Option<ImportSummary>,
    /// Why it failed.
    pub error: Option<Error>,
}
