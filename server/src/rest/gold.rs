//! The gold standard as files.

use std::sync::Arc;

use axum::{Extension, extract::State, response::Response};
use domain::{Actor, ProjectId};
use services::exporting::GoldFormat;

use super::{download::download, extract::Path};
use crate::{Site, problem::Problem};

/// Export the gold standard as JSON Lines
///
/// One document a line, with its spans.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/gold.jsonl", tag = "Exports",
    params(("project" = ProjectId, Path)),
    responses((status = 200, description = "The file.", content_type = "application/jsonl", body = String)),
)]
pub(crate) async fn export_json_lines(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
) -> Result<Response, Problem> {
    export(&site, &actor, project, GoldFormat::JsonLines).await
}

/// Export the gold standard as CoNLL
///
/// One token a line, with its tag.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/gold.conll", tag = "Exports",
    params(("project" = ProjectId, Path)),
    responses((status = 200, description = "The file.", content_type = "text/plain", body = String)),
)]
pub(crate) async fn export_conll(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
) -> Result<Response, Problem> {
    export(&site, &actor, project, GoldFormat::Conll).await
}

async fn export(
    site: &Site,
    actor: &Actor,
    project: ProjectId,
    format: GoldFormat,
) -> Result<Response, Problem> {
    let file = services::exporting::gold(&site.services, actor, project, format).await?;
    Ok(download(file))
}

/// Export a gold version as JSON Lines
///
/// A locked version, one document a line.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/gold-versions/{version}/gold.jsonl", tag = "Exports",
    params(("project" = ProjectId, Path), ("version" = i64, Path)),
    responses((status = 200, description = "The file.", content_type = "application/jsonl", body = String)),
)]
pub(crate) async fn export_version_json_lines(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(of): Path<(ProjectId, i64)>,
) -> Result<Response, Problem> {
    export_version(&site, &actor, of, GoldFormat::JsonLines).await
}

/// Export a gold version as CoNLL
///
/// A locked version, one token a line.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/gold-versions/{version}/gold.conll", tag = "Exports",
    params(("project" = ProjectId, Path), ("version" = i64, Path)),
    responses((status = 200, description = "The file.", content_type = "text/plain", body = String)),
)]
pub(crate) async fn export_version_conll(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(of): Path<(ProjectId, i64)>,
) -> Result<Response, Problem> {
    export_version(&site, &actor, of, GoldFormat::Conll).await
}

async fn export_version(
    site: &Site,
    actor: &Actor,
    (project, number): (ProjectId, i64),
    format: GoldFormat,
) -> Result<Response, Problem> {
    let file = services::gold::export(&site.services, actor, project, number, format).await?;
    Ok(download(file))
}
