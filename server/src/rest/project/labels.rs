//! A project's labels.

use std::sync::Arc;

use axum::{
    Extension, Json,
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{Actor, Label, LabelId, NewLabel, ProjectId};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    Site,
    problem::Problem,
    rest::base::{
        extract::{Body, Path},
        pages::Listed,
    },
};

/// List labels
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/labels", tag = "Projects",
    params(("project" = ProjectId, Path)),
    responses((
        status = 200, description = "The label set, in its order.", body = Listed<Label>,
    )),
)]
pub(super) async fn list_labels(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
) -> Result<Json<Listed<Label>>, Problem> {
    let project = services::project::load(&site.services, &actor, project).await?;
    Ok(Json(Listed::all(project.labels)))
}

/// A label that was made.
#[derive(Serialize, ToSchema)]
struct Created {
    id: LabelId,
}

/// Add a label
///
/// At the end of the label set.
#[utoipa::path(
    post, path = "/api/v1/projects/{project}/labels", tag = "Projects",
    params(("project" = ProjectId, Path)),
    request_body(content = NewLabel, example = json!({
        "name": "PER", "colour": 1, "hotkey": "p",
    })),
    responses((status = 201, description = "The label is there.", body = Created)),
)]
pub(super) async fn create_label(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Body(label): Body<NewLabel>,
) -> Result<Response, Problem> {
    let id = services::project::create_label(&site.services, &actor, project, label).await?;
    Ok((StatusCode::CREATED, Json(Created { id })).into_response())
}

/// Change a label
///
/// Its name, colour and key; what is marked with it stays marked.
#[utoipa::path(
    put, path = "/api/v1/projects/{project}/labels/{label}", tag = "Projects",
    params(("project" = ProjectId, Path), ("label" = LabelId, Path)),
    request_body(content = NewLabel, example = json!({
        "name": "PERSON", "colour": 2, "hotkey": "p",
    })),
    responses((status = 204, description = "The label is as it was sent.")),
)]
pub(super) async fn save_label(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path((project, label)): Path<(ProjectId, LabelId)>,
    Body(new): Body<NewLabel>,
) -> Result<StatusCode, Problem> {
    services::project::save_label(&site.services, &actor, project, label, new).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Delete a label
///
/// One that nothing is marked with.
#[utoipa::path(
    delete, path = "/api/v1/projects/{project}/labels/{label}", tag = "Projects",
    params(("project" = ProjectId, Path), ("label" = LabelId, Path)),
    responses((status = 204, description = "The label is gone.")),
)]
pub(super) async fn delete_label(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path((project, label)): Path<(ProjectId, LabelId)>,
) -> Result<StatusCode, Problem> {
    services::project::delete_label(&site.services, &actor, project, label).await?;
    Ok(StatusCode::NO_CONTENT)
}
