//! What labelers chose of the attributes of their spans, as a file.

use std::sync::Arc;

use axum::{Extension, extract::State, response::Response};
use domain::{Actor, ProjectId};

use crate::{
    Site,
    problem::Problem,
    rest::base::{download::download, extract::Path},
};

/// Export choices
///
/// One choice of one labeler a line.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/choices.jsonl", tag = "Exports",
    params(("project" = ProjectId, Path)),
    responses((status = 200, description = "The file.", content_type = "application/jsonl", body = String)),
)]
pub(super) async fn export_json_lines(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
) -> Result<Response, Problem> {
    Ok(download(services::document::export::choices(&site.services, &actor, project).await?))
}
