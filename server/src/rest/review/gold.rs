//! The gold standard as files under names of their own; `rest::document::export` has it in every format.

use domain::{Documents, ExportFormat, ExportQuery, ExportWhat, ProjectId};

use crate::rest::base::{
    download::download_file,
    extract::{Ask, Reply},
};

/// Export the gold standard as JSON Lines
///
/// One document a line, with its spans and where each comes from.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/gold.jsonl", tag = "Exports",
    params(("project" = ProjectId, Path)),
    responses((status = 200, description = "The file.", content_type = "application/jsonl", body = String)),
)]
pub(super) async fn export_json_lines(ask: Ask<ProjectId>) -> Reply {
    export(ask, ExportWhat::Gold, ExportFormat::JsonLines).await
}

/// Export the gold standard as CoNLL
///
/// One token a line, with its tag.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/gold.conll", tag = "Exports",
    params(("project" = ProjectId, Path)),
    responses((status = 200, description = "The file.", content_type = "text/plain", body = String)),
)]
pub(super) async fn export_conll(ask: Ask<ProjectId>) -> Reply {
    export(ask, ExportWhat::Gold, ExportFormat::Conll).await
}

/// Export a gold version as JSON Lines
///
/// A locked version, one document a line: the bytes that its hash is of.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/gold-versions/{version}/gold.jsonl", tag = "Exports",
    params(("project" = ProjectId, Path), ("version" = i64, Path)),
    responses((status = 200, description = "The file.", content_type = "application/jsonl", body = String)),
)]
pub(super) async fn export_version_json_lines(
    Ask(services, actor, (project, version)): Ask<(ProjectId, i64)>,
) -> Reply {
    export(Ask(services, actor, project), ExportWhat::GoldVersion(version), ExportFormat::JsonLines)
        .await
}

/// Export a gold version as CoNLL
///
/// A locked version, one token a line.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/gold-versions/{version}/gold.conll", tag = "Exports",
    params(("project" = ProjectId, Path), ("version" = i64, Path)),
    responses((status = 200, description = "The file.", content_type = "text/plain", body = String)),
)]
pub(super) async fn export_version_conll(
    Ask(services, actor, (project, version)): Ask<(ProjectId, i64)>,
) -> Reply {
    export(Ask(services, actor, project), ExportWhat::GoldVersion(version), ExportFormat::Conll)
        .await
}

async fn export(
    Ask(services, actor, project): Ask<ProjectId>,
    what: ExportWhat,
    format: ExportFormat,
) -> Reply {
    let query = ExportQuery { what, format, documents: Documents::default() };
    let file = services::document::export::export(&services, &actor, project, query).await?;
    Ok(download_file(project, query, file))
}
