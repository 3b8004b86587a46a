//! Server functions for models.

use domain::{ModelId, ProjectId};
use leptos::prelude::*;

use crate::ApiError;

/// Adds a model.
#[server(prefix = "/fn", endpoint = "models/add")]
pub async fn add_model(
    project: ProjectId,
    name: String,
    version: String,
    #[server(default)] prompt_hash: String,
    #[server(default)] made_on: String,
) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let new = domain::NewModel::typed(name, version, prompt_hash, &made_on);
    let new = crate::context::answer(new)?;
    let done = services::work::models::add(&services, &actor, project, new).await;
    crate::context::answer_at(done.map(|_| ()), &format!("/projects/{project}/settings/models"))
}

/// Removes a model with its work and its tokens.
#[server(prefix = "/fn", endpoint = "models/remove")]
pub async fn remove_model(project: ProjectId, model: ModelId) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let done = services::work::models::remove(&services, &actor, project, model).await;
    crate::context::answer_at(done, &format!("/projects/{project}/settings/models"))
}

/// Makes a token of a model; the answer is its secret, and the page of models shows it this once.
#[server(prefix = "/fn", endpoint = "models/create_token")]
pub async fn create_model_token(
    project: ProjectId,
    model: ModelId,
    days: u16,
) -> Result<String, ApiError> {
    use crate::context::{answer, lead_to_with_note, request};

    let (services, actor) = request()?;
    let of = (project, model);
    let secret = answer(services::work::models::create_token(&services, &actor, of, days).await)?;
    lead_to_with_note(&format!("/projects/{project}/settings/models"), &secret);
    Ok(secret)
}
