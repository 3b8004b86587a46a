//! The adjudication list, for programs and spreadsheets.

use axum::Json;
use domain::{DisagreementList, ProjectId};
use services::document::export::ListFormat;

use crate::rest::base::{
    download::download,
    extract::{Ask, DisagreementsQuery, Query, Reply},
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
    Ask(services, actor, project): Ask<ProjectId>,
    Query(query): Query<DisagreementsQuery>,
) -> Reply<Json<DisagreementList>> {
    let list =
        services::agreement::disagreements::list(&services, &actor, project, query.into()).await?;
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
pub(super) async fn export_csv(ask: Ask<ProjectId>, query: Query<DisagreementsQuery>) -> Reply {
    export(ask, query, ListFormat::Csv).await
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
    ask: Ask<ProjectId>,
    query: Query<DisagreementsQuery>,
) -> Reply {
    export(ask, query, ListFormat::JsonLines).await
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
pub(super) async fn export_xlsx(ask: Ask<ProjectId>, query: Query<DisagreementsQuery>) -> Reply {
    export(ask, query, ListFormat::Xlsx).await
}

async fn export(
    Ask(services, actor, project): Ask<ProjectId>,
    Query(query): Query<DisagreementsQuery>,
    format: ListFormat,
) -> Reply {
    let file =
        services::document::export::disagreements(&services, &actor, project, query.into(), format)
            .await?;
    Ok(download(file))
}
