//! Projects.

mod labels;
mod members;

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
    routes::{Declared, route},
};

/// What programs are answered here, with who may do it and what it takes.
pub(super) fn router() -> Vec<Declared> {
    vec![
        route!(list, VisitOwn, Light),
        route!(create, CreateProject, Light),
        route!(load, ViewProject, Light),
        route!(members::list_invitations, ManageMembers, Light),
        route!(members::invite, ManageMembers, Light),
        route!(members::delete_invitation, ManageMembers, Light),
        route!(labels::list_labels, ViewProject, Light),
        route!(labels::create_label, ManageProject, Light),
        route!(labels::save_label, ManageProject, Light),
        route!(labels::delete_label, ManageProject, Light),
        route!(members::list, ManageMembers, Light),
        route!(members::remove, ManageMembers, Light),
    ]
}

/// List projects
///
/// Those that one is a member of, and that the token leads to.
#[utoipa::path(
    get, path = "/api/v1/projects", tag = "Projects",
    responses((status = 200, description = "All of them.", body = Listed<ProjectCard>)),
)]
async fn list(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
) -> Result<Json<Listed<ProjectCard>>, Problem> {
    Ok(Json(Listed::all(services::project::list(&site.services, &actor).await?)))
}

/// A project to make.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewProject {
    name: String,
}

/// A project that was made.
#[derive(Serialize, ToSchema)]
struct CreatedProject {
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
async fn create(
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
async fn load(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
) -> Result<Json<ProjectView>, Problem> {
    Ok(Json(services::project::load(&site.services, &actor, project).await?))
}
