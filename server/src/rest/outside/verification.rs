//! The proof, while the server runs, that what is shown follows from what is stored.

use std::sync::Arc;

use axum::{Extension, Json, extract::State};
use domain::{Actor, ProjectId, Verification};

use crate::{Site, problem::Problem, rest::base::extract::Path};

/// Verify the numbers
///
/// Compares the tallies in memory with the rows.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/verification", tag = "Agreement",
    params(("project" = ProjectId, Path)),
    responses((status = 200, description = "What is wrong, if anything.", body = Verification)),
)]
pub(super) async fn load(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
) -> Result<Json<Verification>, Problem> {
    Ok(Json(services::outside::verification::live(&site.services, &actor, project).await?))
}
