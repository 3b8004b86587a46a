//! Soft labels, and the people behind them, as files.

use domain::ProjectId;

use crate::rest::base::{
    download::download,
    extract::{Ask, Reply},
};

/// Export soft labels
///
/// One position a line: the share of those who had its document to do who gave each label, or none, and what each
/// of them said under a pseudonym.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/soft-labels.jsonl", tag = "Exports",
    params(("project" = ProjectId, Path)),
    responses((status = 200, description = "The file.", content_type = "application/jsonl", body = String)),
)]
pub(super) async fn export_json_lines(Ask(services, actor, project): Ask<ProjectId>) -> Reply {
    Ok(download(services::document::export::soft_labels(&services, &actor, project).await?))
}

/// Export the people of soft labels
///
/// One labeler a line, under the same pseudonym: how many positions they judged, and as what.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/soft-labels-people.jsonl", tag = "Exports",
    params(("project" = ProjectId, Path)),
    responses((status = 200, description = "The file.", content_type = "application/jsonl", body = String)),
)]
pub(super) async fn export_people(Ask(services, actor, project): Ask<ProjectId>) -> Reply {
    Ok(download(services::document::export::soft_label_people(&services, &actor, project).await?))
}
