//! The audit trail as a file.

use domain::ProjectId;

use crate::rest::base::{
    download::download_lines,
    extract::{Ask, Reply},
};

/// Export the audit trail
///
/// One row a line, the first row first: who did what to what, when, and what the row is signed with.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/audit.jsonl", tag = "Exports",
    params(("project" = ProjectId, Path)),
    responses((status = 200, description = "The file.", content_type = "application/jsonl", body = String)),
)]
pub(super) async fn export(Ask(services, actor, project): Ask<ProjectId>) -> Reply {
    Ok(download_lines(services::outside::audit::export(&services, &actor, project).await?))
}

/// Export the server's audit trail
///
/// What was done outside projects, as lines of the same form; for administrators.
#[utoipa::path(
    get, path = "/api/v1/audit.jsonl", tag = "Exports",
    responses((status = 200, description = "The file.", content_type = "application/jsonl", body = String)),
)]
pub(super) async fn export_of_server(Ask(services, actor, ()): Ask<()>) -> Reply {
    Ok(download_lines(services::outside::audit::export_of_server(&services, &actor).await?))
}
