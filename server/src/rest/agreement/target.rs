//! A project's target, for programs.

use axum::Json;
use domain::{ProjectId, Target};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::rest::base::extract::{Ask, Body, Reply};

/// What was agreed on as good enough.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ProjectTarget {
    /// `null` where the project has none.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required = true)]
    target: Option<Target>,
}

/// Get the target
///
/// How much all labelers together are to agree: the measure, the policy, and what the value or the lower
/// bound of its interval has to reach.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/target", tag = "Agreement",
    params(("project" = ProjectId, Path)),
    responses((status = 200, description = "The target.", body = ProjectTarget)),
)]
pub(super) async fn load(
    Ask(services, actor, project): Ask<ProjectId>,
) -> Reply<Json<ProjectTarget>> {
    let target = services::agreement::target::load(&services, &actor, project).await?;
    Ok(Json(ProjectTarget { target }))
}

/// Change the target
///
/// Gives the project this target in the place of any other; `null` leaves it without.
#[utoipa::path(
    put, path = "/api/v1/projects/{project}/target", tag = "Agreement",
    params(("project" = ProjectId, Path)),
    request_body(content = ProjectTarget, example = json!({
        "target": { "measure": "alpha", "policy": "empty-label", "basis": "value", "at_least": 0.8 },
    })),
    responses((status = 204, description = "The target is as it was sent.")),
)]
pub(super) async fn set(
    Ask(services, actor, project): Ask<ProjectId>,
    Body(ProjectTarget { target }): Body<ProjectTarget>,
) -> Reply<StatusCode> {
    services::agreement::target::set(&services, &actor, project, target).await?;
    Ok(StatusCode::NO_CONTENT)
}
