//! The gold standard as files under names of their own; [`super::exports`] has it in every format.

use std::sync::Arc;

use axum::{Extension, extract::State, response::Response};
use domain::{Actor, Documents, ExportFormat, ExportQuery, ExportWhat, ProjectId};

use super::{download::download_file, extract::Path};
use crate::{Site, problem::Problem};

/// One document a line, with its spans and where each comes from.
pub(crate) async fn export_json_lines(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
) -> Result<Response, Problem> {
    export(&site, &actor, project, ExportWhat::Gold, ExportFormat::JsonLines).await
}

/// One token a line, with its tag.
pub(crate) async fn export_conll(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
) -> Result<Response, Problem> {
    export(&site, &actor, project, ExportWhat::Gold, ExportFormat::Conll).await
}

/// A locked version, one document a line: the bytes that its hash is of.
pub(crate) async fn export_version_json_lines(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path((project, version)): Path<(ProjectId, i64)>,
) -> Result<Response, Problem> {
    export(&site, &actor, project, ExportWhat::GoldVersion(version), ExportFormat::JsonLines).await
}

/// A locked version, one token a line.
pub(crate) async fn export_version_conll(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path((project, version)): Path<(ProjectId, i64)>,
) -> Result<Response, Problem> {
    export(&site, &actor, project, ExportWhat::GoldVersion(version), ExportFormat::Conll).await
}

async fn export(
    site: &Site,
    actor: &Actor,
    project: ProjectId,
    what: ExportWhat,
    format: ExportFormat,
) -> Result<Response, Problem> {
    let query = ExportQuery { what, format, documents: Documents::default() };
    let file = services::exporting::export(&site.services, actor, project, query).await?;
    Ok(download_file(project, query, file))
}
