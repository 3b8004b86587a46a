//! A project's spans as files: whose, in which format, and what the format does not hold.

use std::sync::Arc;

use axum::{Extension, Json, extract::State, response::Response};
use domain::{
    Actor, Documents, ExportFormat, ExportPreview, ExportQuery, ExportWhat, LossForm, ProjectId,
};
use serde::Deserialize;

use super::{
    download::download_file,
    extract::{Path, Query},
};
use crate::{Site, problem::Problem};

/// The file. `what` is `own`, `labelers`, `rater-<id>`, `gold` or `gold-<version>`; `format` one of
/// [`ExportFormat`]; `documents` is `saved` or `submitted`.
pub(crate) async fn load(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(query): Query<ExportQuery>,
) -> Result<Response, Problem> {
    let file = services::exporting::export(&site.services, &actor, project, query).await?;
    Ok(download_file(project, query, file))
}

/// How much the file has, and how often what is not in it as it is.
pub(crate) async fn preview(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(query): Query<ExportQuery>,
) -> Result<Json<ExportPreview>, Problem> {
    Ok(Json(services::exporting::preview(&site.services, &actor, project, query).await?))
}

/// Everything that is not in the file as it is, one by one.
pub(crate) async fn list_losses(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(losses): Query<LossQuery>,
) -> Result<Response, Problem> {
    let LossQuery { what, format, documents, form } = losses;
    let query = ExportQuery { what, format, documents };
    let file = services::exporting::losses(&site.services, &actor, project, query, form).await?;
    Ok(download_file(project, query, file))
}

/// An export, and the form of the list.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct LossQuery {
    what: ExportWhat,
    format: ExportFormat,
    documents: Documents,
    form: LossForm,
}
