//! The proof, while the server runs, that what is shown follows from what is stored.

use axum::Json;
use domain::{ProjectId, Verification};

use crate::rest::base::extract::{Ask, Reply};

/// Verify the numbers
///
/// Compares the tallies in memory with the rows.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/verification", tag = "Agreement",
    params(("project" = ProjectId, Path)),
    responses((status = 200, description = "What is wrong, if anything.", body = Verification)),
)]
pub(super) async fn load(
    Ask(services, actor, project): Ask<ProjectId>,
) -> Reply<Json<Verification>> {
    Ok(Json(services::outside::verification::live(&services, &actor, project).await?))
}
