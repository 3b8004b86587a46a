//! A project's models, and what programs hand in for them.

use axum::{
    Json,
    extract::OriginalUri,
    response::{IntoResponse, Response},
};
use domain::{
    DocumentId, Model, ModelDocument, ModelDocumentCard, ModelId, ModelWork, NewModel, ProjectId,
};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use crate::rest::base::{
    extract::{Ask, Body, Query, Reply},
    pages::{ListQuery, Listed},
};

/// List models
///
/// By name, then version.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/models", tag = "Models",
    params(("project" = ProjectId, Path)),
    responses((status = 200, description = "All of them.", body = Listed<Model>)),
)]
pub(super) async fn list(
    Ask(services, actor, project): Ask<ProjectId>,
) -> Reply<Json<Listed<Model>>> {
    Ok(Json(Listed::all(services::work::models::list(&services, &actor, project).await?)))
}

/// A model that was added.
#[derive(Serialize, ToSchema)]
struct AddedModel {
    id: ModelId,
}

/// Add a model
///
/// A model in one version. Another prompt is another version: a hash that differs from the one under which the
/// version is there is refused.
#[utoipa::path(
    post, path = "/api/v1/projects/{project}/models", tag = "Models",
    params(("project" = ProjectId, Path)),
    request_body(content = NewModel, example = json!({
        "name": "tagger", "version": "2", "prompt_hash": "sha256:9f86d081", "made_on": "2026-11-20",
    })),
    responses((status = 201, description = "The model is there.", body = AddedModel)),
)]
pub(super) async fn add(
    Ask(services, actor, project): Ask<ProjectId>,
    Body(new): Body<NewModel>,
) -> Reply {
    let id = services::work::models::add(&services, &actor, project, new).await?;
    Ok((StatusCode::CREATED, Json(AddedModel { id })).into_response())
}

/// Get a model
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/models/{model}", tag = "Models",
    params(("project" = ProjectId, Path), ("model" = ModelId, Path)),
    responses((status = 200, description = "The model.", body = Model)),
)]
pub(super) async fn load(
    Ask(services, actor, (project, model)): Ask<(ProjectId, ModelId)>,
) -> Reply<Json<Model>> {
    Ok(Json(services::work::models::load(&services, &actor, project, model).await?))
}

/// Remove a model
///
/// With all its work, and with its tokens.
#[utoipa::path(
    delete, path = "/api/v1/projects/{project}/models/{model}", tag = "Models",
    params(("project" = ProjectId, Path), ("model" = ModelId, Path)),
    responses((status = 204, description = "The model is gone.")),
)]
pub(super) async fn remove(
    Ask(services, actor, (project, model)): Ask<(ProjectId, ModelId)>,
) -> Reply<StatusCode> {
    services::work::models::remove(&services, &actor, project, model).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// List a model's documents
///
/// All documents of the project, with when the model's work on each was saved.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/models/{model}/documents", tag = "Models",
    params(("project" = ProjectId, Path), ("model" = ModelId, Path), ListQuery),
    responses((
        status = 200, description = "A page of the documents.", body = Listed<ModelDocumentCard>,
        headers(("Link" = String, description = "Where the next page is.")),
    )),
)]
pub(super) async fn list_documents(
    Ask(services, actor, of): Ask<(ProjectId, ModelId)>,
    Query(query): Query<ListQuery>,
    OriginalUri(asked): OriginalUri,
) -> Reply<Response> {
    let (after, limit) = (DocumentId(query.after()?), query.limit()?);
    let cards = services::work::models::list_documents(&services, &actor, of, after, limit.into());
    Ok(Listed::page(cards.await?, limit, |card| card.id.0).answer(&asked))
}

/// Get a document for a model
///
/// Its text, the labels there are with what is asked, and what the model has marked and answered in it.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/models/{model}/documents/{document}", tag = "Models",
    params(
        ("project" = ProjectId, Path), ("model" = ModelId, Path), ("document" = DocumentId, Path),
    ),
    responses((status = 200, description = "The document.", body = ModelDocument)),
)]
pub(super) async fn load_document(
    Ask(services, actor, (project, model, document)): Ask<(ProjectId, ModelId, DocumentId)>,
) -> Reply<Json<ModelDocument>> {
    let of = (project, model);
    let found = services::work::models::load_document(&services, &actor, of, document).await?;
    Ok(Json(found))
}

/// Save a model's spans and answers
///
/// What is sent takes the place of all that the model had marked and answered in the document; without spans, it says
/// that there is nothing to mark. A `prompt_hash` that is not the model's is refused.
#[utoipa::path(
    put, path = "/api/v1/projects/{project}/models/{model}/documents/{document}", tag = "Models",
    params(
        ("project" = ProjectId, Path), ("model" = ModelId, Path), ("document" = DocumentId, Path),
    ),
    request_body(content = ModelWork, example = json!({
        "spans": [{ "start": 0, "end": 6, "label": 1 }], "prompt_hash": "sha256:9f86d081",
    })),
    responses((status = 204, description = "They are saved.")),
)]
pub(super) async fn save_work(
    Ask(services, actor, (project, model, document)): Ask<(ProjectId, ModelId, DocumentId)>,
    Body(work): Body<ModelWork>,
) -> Reply<StatusCode> {
    let of = (project, model);
    services::work::models::save_work(&services, &actor, of, document, work).await?;
    Ok(StatusCode::NO_CONTENT)
}
