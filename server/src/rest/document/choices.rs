//! What labelers and reviewers chose of attributes and about documents, as a file.

use domain::ProjectId;

use crate::rest::base::{
    download::download,
    extract::{Ask, Reply},
};

/// Export choices
///
/// One choice of one labeler or reviewer a line; `gold` is true of the latest decision.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/choices.jsonl", tag = "Exports",
    params(("project" = ProjectId, Path)),
    responses((status = 200, description = "The file.", content_type = "application/jsonl", body = String)),
)]
pub(super) async fn export_json_lines(Ask(services, actor, project): Ask<ProjectId>) -> Reply {
    Ok(download(services::document::export::choices(&services, &actor, project).await?))
}
