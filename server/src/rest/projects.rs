//! Projects and their labels.

use std::sync::Arc;

use axum::{
    Extension, Json,
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{Actor, Label, LabelId, NewLabel, ProjectCard, ProjectId, ProjectView};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    extract::{Body, Path},
    listed::Listed,
};
use crate::{Site, problem::Problem};

/// List projects
///
/// Those that one is a member of, and that the token leads to.
#[utoipa::path(
    get, path = "/api/v1/projects", tag = "Projects",
    responses((status = 200, description = "All of them.", body = Listed<ProjectCard>)),
)]
pub(crate) async fn list(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
) -> Result<Json<Listed<ProjectCard>>, Problem> {
    Ok(Json(Listed::all(services::project::list(&site.services, &actor).await?)))
}

/// A project to make.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewProject {
    name: String,
}

/// A project that was made.
#[derive(Serialize, ToSchema)]
pub(crate) struct CreatedProject {
    id: ProjectId,
}

/// Make a project
///
/// Whoever makes it manages it.
#[utoipa::path(
    post, path = "/api/v1/projects", tag = "Projects",
    request_body(content = NewProject, example = json!({ "name": "Psalms" })),
    responses((status = 201, description = "The project is there.", body = CreatedProject)),
)]
pub(crate) async fn create(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Body(NewProject { name }): Body<NewProject>,
) -> Result<Response, Problem> {
    let id = services::project::create(&site.services, &actor, name).await?;
    Ok((StatusCode::CREATED, Json(CreatedProject { id })).into_response())
}

/// Get a project
///
/// Its name, labels and guidelines, as one of its members sees it.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}", tag = "Projects",
    params(("project" = ProjectId, Path)),
    responses((status = 200, description = "The project.", body = ProjectView)),
)]
pub(crate) async fn load(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
) -> Result<Json<ProjectView>, Problem> {
    Ok(Json(services::project::load(&site.services, &actor, project).await?))
}

/// List labels
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/labels", tag = "Projects",
    params(("project" = ProjectId, Path)),
    responses((
        status = 200, description = "The label set, in its order.", body = Listed<Label>,
    )),
)]
pub(crate) async fn list_labels(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
) -> Result<Json<Listed<Label>>, Problem> {
    let project = services::project::load(&site.services, &actor, project).await?;
    Ok(Json(Listed::all(project.labels)))
}

/// A label that was made.
#[derive(Serialize, ToSchema)]
pub(crate) struct Created {
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
pub(crate) async fn create_label(
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
pub(crate) async fn save_label(
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
pub(crate) async fn delete_label(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path((project, label)): Path<(ProjectId, LabelId)>,
) -> Result<StatusCode, Problem> {
    services::project::delete_label(&site.services, &actor, project, label).await?;
    Ok(StatusCode::NO_CONTENT)
}
