//! A project's spans as files: whose, in which format, and what the format does not hold.

#![expect(unused_qualifications, reason = "the description names the query by its module")]

use axum::Json;
use domain::{
    Documents, ExportFormat, ExportPreview, ExportQuery, ExportWhat, LossForm, ProjectId,
};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::rest::base::{
    download::download_file,
    extract::{Ask, Query, Reply},
};

/// Export spans
///
/// The file. `what` is `own`, `labelers`, `rater-<id>`, `gold` or `gold-<version>`; `format` one of
/// [`ExportFormat`]; `documents` is `saved` or `submitted`.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/exports", tag = "Exports",
    params(("project" = ProjectId, Path), ExportQuery),
    responses((
        status = 200, description = "The file, of a kind that follows from the format.",
        content((Value = "application/json"), (String = "*/*")),
    )),
)]
pub(super) async fn load(
    Ask(services, actor, project): Ask<ProjectId>,
    Query(query): Query<ExportQuery>,
) -> Reply {
    let file = services::document::export::export(&services, &actor, project, query).await?;
    Ok(download_file(project, query, file))
}

/// Preview an export
///
/// How much the file has, and how often what is not in it as it is.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/exports/preview", tag = "Exports",
    params(("project" = ProjectId, Path), ExportQuery),
    responses((status = 200, description = "What is to be expected.", body = ExportPreview)),
)]
pub(super) async fn preview(
    Ask(services, actor, project): Ask<ProjectId>,
    Query(query): Query<ExportQuery>,
) -> Reply<Json<ExportPreview>> {
    Ok(Json(services::document::export::preview(&services, &actor, project, query).await?))
}

/// List what an export leaves out
///
/// Everything that is not in the file as it is, one by one.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/exports/losses", tag = "Exports",
    params(("project" = ProjectId, Path), LossQuery),
    responses((
        status = 200, description = "The list, in the form that was asked for.",
        content((Value = "application/json"), (String = "text/csv")),
    )),
)]
pub(super) async fn list_losses(
    Ask(services, actor, project): Ask<ProjectId>,
    Query(losses): Query<LossQuery>,
) -> Reply {
    let LossQuery { what, format, documents, form } = losses;
    let query = ExportQuery { what, format, documents };
    let file = services::document::export::losses(&services, &actor, project, query, form).await?;
    Ok(download_file(project, query, file))
}

/// An export, and the form of the list.
#[derive(Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default, deny_unknown_fields)]
pub(super) struct LossQuery {
    /// `own`, `labelers`, `rater-<id>`, `gold` or `gold-<version>`.
    #[param(value_type = String)]
    what: ExportWhat,
    #[param(inline)]
    format: ExportFormat,
    documents: Documents,
    #[param(inline)]
    form: LossForm,
}
