//! Models: raters who are no people, whose spans and answers come by import or from programs. What they say is compared
//! with what people say and moves nothing of what is told of those.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    Attribute, Code, Confidence, CoverageView, DocumentId, Error, Fact, Label, Measured, MemberId,
    ModelId, ProjectId, Rater, Revision, Role, Switches, check_name,
};

/// The most characters of a hash of a prompt: twice as many as SHA-512 has digits.
const HASH_MAX: usize = 256;

/// A model of a project, in one version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Model {
    pub id: ModelId,
    pub name: String,
    pub version: String,
    /// What tells its prompt from others; empty without one.
    pub prompt_hash: String,
    /// When it was made, by whoever added it.
    pub made_on: Option<NaiveDate>,
    pub created_at: DateTime<Utc>,
    /// How often its work was changed.
    pub revision: Revision,
    /// The documents that it has work on.
    pub documents: u64,
}

impl Model {
    /// What it is called: its name with its version.
    pub fn title(&self) -> String {
        format!("{} {}", self.name, self.version)
    }

    /// The day that it counts from: when it was made or, where nobody says, when it was added.
    pub fn date(&self) -> NaiveDate {
        self.made_on.unwrap_or_else(|| self.created_at.date_naive())
    }
}

/// What somebody says of a new model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewModel {
    pub name: String,
    pub version: String,
    /// What tells its prompt from others, such as a hash; empty without one.
    #[serde(default)]
    pub prompt_hash: String,
    #[serde(default)]
    pub made_on: Option<NaiveDate>,
}

impl NewModel {
    /// As it is typed into a form; without a day it is not said when it was made.
    pub fn typed(
        name: String,
        version: String,
        prompt_hash: String,
        made_on: &str,
    ) -> Result<Self, Error> {
        let made_on = match made_on.trim() {
            "" => None,
            day => {
                let why = "a day is needed, such as 2026-11-20";
                Some(day.parse().map_err(|_| Code::Malformed.of("made_on", why))?)
            }
        };
        Ok(Self { name, version, prompt_hash, made_on })
    }

    /// Checks and tidies what was typed.
    pub fn checked(mut self) -> Result<Self, Error> {
        self.name = check_name("name", "a model's name", &self.name, 1..=100)?;
        self.version = check_name("version", "a version", &self.version, 1..=100)?;
        self.prompt_hash = check_prompt_hash(&self.prompt_hash)?;
        Ok(self)
    }
}

/// What tells a prompt from others, as it was typed, without the space around it.
pub fn check_prompt_hash(typed: &str) -> Result<String, Error> {
    check_name("prompt_hash", "a prompt's hash", typed, 0..=HASH_MAX)
}

/// What a model has to say about a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ModelWork {
    /// All that it has marked there; offsets are Unicode scalar values, half-open. A span that has a choice may stand
    /// here with each of its choices alone; answers about the document stand at 0 with the label 0.
    pub spans: Vec<Fact>,
    /// The prompt by which it came; if it is given, it has to be the model's.
    #[serde(default)]
    pub prompt_hash: Option<String>,
}

/// A document as a model is given it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ModelDocument {
    pub id: DocumentId,
    pub name: String,
    pub text: String,
    pub labels: Vec<Label>,
    /// What is asked of the spans of labels, and of documents.
    pub attributes: Vec<Attribute>,
    /// What the model has marked and answered.
    pub spans: Vec<Fact>,
    /// When that was saved; none if the model has no work on it.
    pub saved_at: Option<DateTime<Utc>>,
}

/// A document of a project, as a model lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ModelDocumentCard {
    pub id: DocumentId,
    pub name: String,
    /// The length of its text, in Unicode scalar values.
    pub characters: u32,
    /// When the model's work on it was saved last; none without any.
    pub saved_at: Option<DateTime<Utc>>,
}

/// A model against one person.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ModelCell {
    pub rater: MemberId,
    pub measured: Measured,
    pub confidence: Confidence,
    /// Positions that were counted.
    pub n: u64,
    /// The model is the first of the two.
    pub coverage: CoverageView,
    /// Documents that were compared.
    pub documents: u64,
}

/// A model against everybody of a role: counts are added up over the people.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ModelPooled {
    /// The people's role.
    pub with: Role,
    pub measured: Measured,
    /// Positions that were counted, once for each person.
    pub n: u64,
    /// The model is the first.
    pub coverage: CoverageView,
}

/// A model against the people of its project.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ModelRow {
    pub model: Model,
    /// One cell for each person, in their order.
    pub cells: Vec<ModelCell>,
    /// Against all labelers, and against all reviewers, where there are any.
    pub pooled: Vec<ModelPooled>,
}

impl ModelRow {
    /// The value against everybody of a role.
    pub fn pooled_with(&self, role: Role) -> Option<&ModelPooled> {
        self.pooled.iter().find(|pooled| pooled.with == role)
    }
}

/// Models against the people of their project, at one revision of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ModelsView {
    pub project: ProjectId,
    /// That of the people's work.
    pub revision: Revision,
    pub switches: Switches,
    /// Labelers in the order they joined, then reviewers.
    pub raters: Vec<Rater>,
    /// By name, then version.
    pub rows: Vec<ModelRow>,
}

/// A model against what reviewers decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ModelScoresView {
    /// Those that the model has work on, and whose review is submitted.
    pub documents: u64,
    /// Of all labels together.
    pub whole: ModelScores,
    /// Of one label at a time, in the order of the label set.
    pub labels: Vec<ScoresOfLabel>,
    /// Against each other model that has such documents too, in the order they came.
    pub others: Vec<OtherModel>,
}

/// How well a model finds the spans of one label.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ScoresOfLabel {
    pub label: Label,
    pub scores: ModelScores,
}

/// Another model, and how far a model is from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OtherModel {
    pub model: Model,
    pub difference: ModelDifference,
}

/// How well a model finds what reviewers decided to be there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ModelScores {
    /// Spans that reviewers decided on.
    pub decided: u64,
    /// Spans of the model.
    pub found: u64,
    /// Spans of both.
    pub matched: u64,
    pub precision: Score,
    pub recall: Score,
    pub f1: Score,
}

/// A share from 0 to 1 with its 95 % interval by document; none where it would be of nothing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Score {
    pub value: Option<f64>,
    pub confidence: Confidence,
}

/// A model against another, in the documents that both have.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ModelDifference {
    pub documents: u64,
    /// This one's F1 less the other's.
    pub f1: Option<f64>,
    /// By exchanging the two document by document (Yeh 2000).
    pub p_value: Option<f64>,
    /// Spans that reviewers decided on and that this one alone has found, or the other alone.
    pub only_this: u64,
    pub only_other: u64,
    /// The exact p-value of `McNemar` (1947) of these spans, taken for independent; none where there are none.
    pub mcnemar: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_has_a_name_and_a_version() {
        let model = NewModel {
            name: " tagger ".to_owned(),
            version: "2".to_owned(),
            prompt_hash: " sha256:00 ".to_owned(),
            made_on: None,
        };
        let checked = model.clone().checked().unwrap();
        assert_eq!((checked.name.as_str(), checked.prompt_hash.as_str()), ("tagger", "sha256:00"));
        let field = |model: NewModel| match model.checked() {
            Err(Error::Invalid { field, .. }) => field,
            other => panic!("{other:?}"),
        };
        assert_eq!(field(NewModel { name: " ".to_owned(), ..model.clone() }), "name");
        assert_eq!(field(NewModel { version: "\u{202e}2".to_owned(), ..model.clone() }), "version");
        let long = "x".repeat(HASH_MAX + 1);
        assert_eq!(field(NewModel { prompt_hash: long, ..model }), "prompt_hash");
    }
}
