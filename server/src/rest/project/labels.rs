//! A project's labels.

use axum::{Json, response::IntoResponse};
use domain::{Label, LabelId, NewLabel, ProjectId};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use crate::rest::base::{
    extract::{Ask, Body, Reply},
    pages::Listed,
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
    Ask(services, actor, project): Ask<ProjectId>,
) -> Reply<Json<Listed<Label>>> {
    let project = services::project::load(&services, &actor, project).await?;
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
    Ask(services, actor, project): Ask<ProjectId>,
    Body(label): Body<NewLabel>,
) -> Reply {
    let id = services::project::create_label(&services, &actor, project, label).await?;
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
    Ask(services, actor, (project, label)): Ask<(ProjectId, LabelId)>,
    Body(new): Body<NewLabel>,
) -> Reply<StatusCode> {
    services::project::save_label(&services, &actor, project, label, new).await?;
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
    Ask(services, actor, (project, label)): Ask<(ProjectId, LabelId)>,
) -> Reply<StatusCode> {
    services::project::delete_label(&services, &actor, project, label).await?;
    Ok(StatusCode::NO_CONTENT)
}
