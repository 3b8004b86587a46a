//! Projects.

mod labels;
mod members;
mod models;

use axum::{Json, response::IntoResponse};
use domain::{ProjectCard, ProjectId, ProjectView, Target};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    rest::base::{
        extract::{Ask, Body, Reply},
        pages::Listed,
    },
    site::route::{Declared, route},
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
        route!(models::list, ViewAgreement, Light),
        route!(models::add, ManageProject, Light),
        route!(models::load, ViewAgreement, Light),
        route!(models::remove, ManageProject, Light),
        route!(models::list_documents, SaveModelWork, Light),
        route!(models::load_document, SaveModelWork, Light),
        route!(models::save_work, SaveModelWork, Save),
    ]
}

/// List projects
///
/// Those that one is a member of, and that the token leads to.
#[utoipa::path(
    get, path = "/api/v1/projects", tag = "Projects",
    responses((status = 200, description = "All of them.", body = Listed<ProjectCard>)),
)]
async fn list(Ask(services, actor, ()): Ask<()>) -> Reply<Json<Listed<ProjectCard>>> {
    Ok(Json(Listed::all(services::project::list(&services, &actor).await?)))
}

/// A project to make.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewProject {
    name: String,
    /// Without it the project has none.
    target: Option<Target>,
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
    request_body(content = NewProject, example = json!({
        "name": "Psalms",
        "target": { "measure": "alpha", "policy": "empty-label", "basis": "value", "at_least": 0.8 },
    })),
    responses((status = 201, description = "The project is there.", body = CreatedProject)),
)]
async fn create(
    Ask(services, actor, ()): Ask<()>,
    Body(NewProject { name, target }): Body<NewProject>,
) -> Reply {
    let id = services::project::create(&services, &actor, name, target).await?;
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
async fn load(Ask(services, actor, project): Ask<ProjectId>) -> Reply<Json<ProjectView>> {
    Ok(Json(services::project::load(&services, &actor, project).await?))
}
