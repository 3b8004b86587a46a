//! Server functions for what labels mean and ask, and for what is suggested.

use domain::{AttributeId, LabelId, ProjectId};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::ApiError;

/// In which labels a label's spans may lie, as a form has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Nests {
    #[default]
    Anywhere,
    Nowhere,
    Chosen,
}

/// Whether something may be, as a form has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum May {
    #[default]
    Allowed,
    Forbidden,
}

/// What a label's spans may do with others, as a form has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitsForm {
    #[serde(default)]
    pub own: May,
    #[serde(default)]
    pub others: May,
    #[serde(default)]
    pub nests: Nests,
    #[serde(default)]
    pub within: Vec<LabelId>,
}

impl From<LimitsForm> for domain::Limits {
    fn from(form: LimitsForm) -> Self {
        let within = match form.nests {
            Nests::Anywhere => None,
            Nests::Nowhere => Some(Vec::new()),
            Nests::Chosen => Some(form.within),
        };
        Self {
            crosses_own: form.own == May::Allowed,
            crosses_others: form.others == May::Allowed,
            within,
        }
    }
}

/// What answers to an attribute are, as a form has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answers {
    #[default]
    One,
    Several,
    Number,
}

/// What answers to an attribute are and between what they choose, as a form has it: choices stand on a line
/// each, numbers on a scale.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AnswersForm {
    pub are: Answers,
    pub choices: String,
    pub least: String,
    pub greatest: String,
    pub step: String,
    pub least_means: String,
    pub greatest_means: String,
}

impl TryFrom<&AnswersForm> for domain::AnswerKind {
    type Error = domain::Error;

    fn try_from(form: &AnswersForm) -> Result<Self, domain::Error> {
        Ok(match form.are {
            Answers::One => Self::One,
            Answers::Several => Self::Several,
            Answers::Number => Self::Number(domain::Scale::typed(
                [&form.least, &form.greatest, &form.step],
                [&form.least_means, &form.greatest_means],
            )?),
        })
    }
}

/// Changes what is said of a label and what its spans may do.
#[server(prefix = "/fn", endpoint = "labels/describe_label")]
pub async fn describe_label(
    project: ProjectId,
    label: LabelId,
    #[server(default)] group: String,
    #[server(default)] description: String,
    #[server(default)] limits: LimitsForm,
) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let limits = limits.into();
    let detail = domain::LabelDetail { id: label, group, description, limits, attributes: vec![] };
    let done = services::project::describe_label(&services, &actor, project, detail).await;
    crate::context::answer_at(done, &format!("/projects/{project}/settings/labels"))
}

/// Adds an attribute to a label, or to documents.
#[server(prefix = "/fn", endpoint = "labels/create_attribute")]
pub async fn create_attribute(
    project: ProjectId,
    label: LabelId,
    name: String,
    #[server(default)] answers: AnswersForm,
    #[server(default)] required: bool,
) -> Result<AttributeId, ApiError> {
    use crate::context::{answer, lead_to, request};

    let (services, actor) = request()?;
    let answers = (answer((&answers).try_into())?, &*answers.choices);
    let new = answer(domain::NewAttribute::typed(&name, answers, required, true))?;
    let created = services::project::create_attribute(&services, &actor, project, label, new);
    let id = answer(created.await)?;
    lead_to(&format!("{}#attribute-{id}", crate::query::address::label_address(project, label)));
    Ok(id)
}

/// Changes an attribute.
#[server(prefix = "/fn", endpoint = "labels/save_attribute")]
pub async fn save_attribute(
    project: ProjectId,
    label: LabelId,
    id: AttributeId,
    name: String,
    #[server(default)] answers: AnswersForm,
    #[server(default)] required: bool,
    #[server(default)] offered: bool,
) -> Result<(), ApiError> {
    use crate::context::{answer, answer_at, request};

    let (services, actor) = request()?;
    let answers = (answer((&answers).try_into())?, &*answers.choices);
    let new = answer(domain::NewAttribute::typed(&name, answers, required, offered))?;
    let done = services::project::save_attribute(&services, &actor, project, id, new).await;
    answer_at(
        done,
        &format!("{}#attribute-{id}", crate::query::address::label_address(project, label)),
    )
}

/// Changes what labelers are offered as suggestions.
#[server(prefix = "/fn", endpoint = "labels/save_suggestions")]
pub async fn save_suggestions(
    project: ProjectId,
    #[server(default)] agreed: bool,
    #[server(default)] shields_agreed: bool,
    #[server(default)] shields_imported: bool,
) -> Result<(), ApiError> {
    use crate::context::{answer, lead_with_note, request};

    let (services, actor) = request()?;
    let settings = domain::SuggestionSettings { agreed, shields_agreed, shields_imported };
    answer(services::project::save_suggestions(&services, &actor, project, settings).await)?;
    lead_with_note(project, "settings/labels", "suggestions");
    Ok(())
}
