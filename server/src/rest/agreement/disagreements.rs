//! The adjudication list, for programs and spreadsheets.

use std::sync::Arc;

use axum::{Extension, Json, extract::State, response::Response};
use domain::{Actor, DisagreementList, DisagreementQuery, ProjectId};
use services::document::export::ListFormat;

use crate::{
    Site,
    problem::Problem,
    rest::base::{
        download::download,
        extract::{DisagreementsQuery, Path, Query},
    },
};

/// List disagreements
///
/// A page of the list.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/disagreements", tag = "Agreement",
    params(("project" = ProjectId, Path), DisagreementsQuery),
    responses((status = 200, description = "A page of the list.", body = DisagreementList)),
)]
pub(super) async fn list(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(query): Query<DisagreementsQuery>,
) -> Result<Json<DisagreementList>, Problem> {
    let list =
        services::agreement::disagreements::list(&site.services, &actor, project, query.into())
            .await?;
    Ok(Json(list))
}

/// Export disagreements as CSV
///
/// All rows that the query asks for, as a table.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/disagreements.csv", tag = "Exports",
    params(("project" = ProjectId, Path), DisagreementsQuery),
    responses((status = 200, description = "The file.", content_type = "text/csv", body = String)),
)]
pub(super) async fn export_csv(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(query): Query<DisagreementsQuery>,
) -> Result<Response, Problem> {
    export(&site, &actor, project, query.into(), ListFormat::Csv).await
}

/// Export disagreements as JSON Lines
///
/// All rows that the query asks for, one JSON object a line.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/disagreements.jsonl", tag = "Exports",
    params(("project" = ProjectId, Path), DisagreementsQuery),
    responses((status = 200, description = "The file.", content_type = "application/jsonl", body = String)),
)]
pub(super) async fn export_json_lines(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(query): Query<DisagreementsQuery>,
) -> Result<Response, Problem> {
    export(&site, &actor, project, query.into(), ListFormat::JsonLines).await
}

/// Export disagreements as a workbook
///
/// All rows that the query asks for, as a workbook.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/disagreements.xlsx", tag = "Exports",
    params(("project" = ProjectId, Path), DisagreementsQuery),
    responses((
        status = 200, description = "The file.", body = String,
        content_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    )),
)]
pub(super) async fn export_xlsx(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(query): Query<DisagreementsQuery>,
) -> Result<Response, Problem> {
    export(&site, &actor, project, query.into(), ListFormat::Xlsx).await
}

async fn export(
    site: &Site,
    actor: &Actor,
    project: ProjectId,
    query: DisagreementQuery,
    format: ListFormat,
) -> Result<Response, Problem> {
    let file =
        services::document::export::disagreements(&site.services, actor, project, query, format)
            .await?;
    Ok(download(file))
}
