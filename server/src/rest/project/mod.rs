//! Projects.

pub(crate) mod labels;
pub(crate) mod members;

use std::sync::Arc;

use axum::{
    Extension, Json,
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{Actor, ProjectCard, ProjectId, ProjectView};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    Site,
    problem::Problem,
    rest::base::{
        extract::{Body, Path},
        pages::Listed,
    },
};

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
