//! The matrix, for programs and spreadsheets.

mod disagreements;
pub(crate) mod events;
mod target;

use app::{TextFormat, matrix_as_text};
use axum::response::IntoResponse;
use domain::{AgreementSnapshot, ProjectId};
use http::{HeaderValue, header::CONTENT_TYPE};
use services::agreement::MatrixFormat;

use crate::{
    rest::base::{
        download::download,
        extract::{Ask, Query, Reply, StudyQuery, SwitchesQuery},
    },
    site::route::{Declared, route},
};

/// What programs are answered here, with who may do it and what it takes.
pub(super) fn router() -> Vec<Declared> {
    vec![
        route!(load, ViewAgreement, Light),
        route!(export_csv, ViewAgreement, Export),
        route!(export_report, ViewAgreement, Export),
        route!(export_json, ViewAgreement, Export),
        route!(export_markdown, ViewAgreement, Light),
        route!(export_svg, ViewAgreement, Export),
        route!(export_latex, ViewAgreement, Light),
        route!(export_tsv, ViewAgreement, Light),
        route!(disagreements::list, ViewAgreement, Light),
        route!(disagreements::export_csv, ViewAgreement, Export),
        route!(disagreements::export_json_lines, ViewAgreement, Export),
        route!(disagreements::export_xlsx, ViewAgreement, Export),
        route!(events::follow_agreement, ViewAgreement, Stream),
        route!(target::load, ViewAgreement, Light),
        route!(target::set, ManageProject, Light),
        route!(export_study, ViewAgreement, Export),
        route!(export_units, ViewAgreement, Export),
        route!(load_what_if, ViewAgreement, Export),
    ]
}

/// Get the matrix
///
/// The matrix under the given switches.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/agreement", tag = "Agreement",
    params(("project" = ProjectId, Path), SwitchesQuery),
    responses((status = 200, description = "The matrix.", body = AgreementSnapshot)),
)]
async fn load(
    Ask(services, actor, project): Ask<ProjectId>,
    Query(switches): Query<SwitchesQuery>,
) -> Reply {
    let snapshot =
        services::agreement::snapshot(&services, &actor, project, switches.into()).await?;
    let json = HeaderValue::from_static("application/json");
    Ok(([(CONTENT_TYPE, json)], snapshot.json().to_string()).into_response())
}

/// Export the matrix as CSV
///
/// The matrix with the counts of every pair, as a table.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/agreement.csv", tag = "Agreement",
    params(("project" = ProjectId, Path), SwitchesQuery),
    responses((status = 200, description = "The file.", content_type = "text/csv", body = String)),
)]
async fn export_csv(ask: Ask<ProjectId>, query: Query<SwitchesQuery>) -> Reply {
    export(ask, query, MatrixFormat::Csv).await
}

/// Export the matrix as JSON
///
/// The matrix with the counts of every pair, all together and by document.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/agreement.json", tag = "Agreement",
    params(("project" = ProjectId, Path), SwitchesQuery),
    responses((status = 200, description = "The file.", body = Object)),
)]
async fn export_json(ask: Ask<ProjectId>, query: Query<SwitchesQuery>) -> Reply {
    export(ask, query, MatrixFormat::Json).await
}

/// Export the matrix as a picture
///
/// The matrix as a picture.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/agreement.svg", tag = "Agreement",
    params(("project" = ProjectId, Path), SwitchesQuery),
    responses((status = 200, description = "The file.", content_type = "image/svg+xml", body = String)),
)]
async fn export_svg(ask: Ask<ProjectId>, query: Query<SwitchesQuery>) -> Reply {
    export(ask, query, MatrixFormat::Svg).await
}

/// Export the matrix as TSV
///
/// The matrix as a table for a spreadsheet.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/agreement.tsv", tag = "Agreement",
    params(("project" = ProjectId, Path), SwitchesQuery),
    responses((status = 200, description = "The file.", content_type = "text/plain", body = String)),
)]
async fn export_tsv(ask: Ask<ProjectId>, query: Query<SwitchesQuery>) -> Reply<String> {
    text(ask, query, TextFormat::Tsv).await
}

/// Export the matrix as Markdown
///
/// The matrix as a table for a Markdown page.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/agreement.md", tag = "Agreement",
    params(("project" = ProjectId, Path), SwitchesQuery),
    responses((status = 200, description = "The file.", content_type = "text/plain", body = String)),
)]
async fn export_markdown(ask: Ask<ProjectId>, query: Query<SwitchesQuery>) -> Reply<String> {
    text(ask, query, TextFormat::Markdown).await
}

/// Export the matrix as LaTeX
///
/// The matrix as a table for a LaTeX article.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/agreement.tex", tag = "Agreement",
    params(("project" = ProjectId, Path), SwitchesQuery),
    responses((status = 200, description = "The file.", content_type = "text/plain", body = String)),
)]
async fn export_latex(ask: Ask<ProjectId>, query: Query<SwitchesQuery>) -> Reply<String> {
    text(ask, query, TextFormat::Latex).await
}

/// Export a coding study
///
/// Who said what at which position, as a coding study.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/study.csv", tag = "Agreement",
    params(("project" = ProjectId, Path), StudyQuery),
    responses((status = 200, description = "The file.", content_type = "text/csv", body = String)),
)]
async fn export_study(
    Ask(services, actor, project): Ask<ProjectId>,
    Query(query): Query<StudyQuery>,
) -> Reply {
    let (switches, pair) = query.into();
    let file = services::agreement::study(&services, &actor, project, switches, pair).await?;
    Ok(download(file))
}

/// Export a unitizing study
///
/// Labelers' spans as units on one continuum, as a unitizing study.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/units.csv", tag = "Agreement",
    params(("project" = ProjectId, Path), SwitchesQuery),
    responses((status = 200, description = "The file.", content_type = "text/csv", body = String)),
)]
async fn export_units(
    Ask(services, actor, project): Ask<ProjectId>,
    Query(switches): Query<SwitchesQuery>,
) -> Reply {
    let file = services::agreement::units(&services, &actor, project, switches.into()).await?;
    Ok(download(file))
}

/// Get judgements for what-if
///
/// Who said what, under ids alone, in the form that the prediction of the what-if page reads.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/what-if", tag = "Agreement",
    params(("project" = ProjectId, Path), SwitchesQuery),
    responses((status = 200, description = "The file.", content_type = "application/octet-stream", body = String)),
)]
async fn load_what_if(
    Ask(services, actor, project): Ask<ProjectId>,
    Query(switches): Query<SwitchesQuery>,
) -> Reply<Vec<u8>> {
    Ok(services::agreement::what_if(&services, &actor, project, switches.into()).await?)
}

/// Export the report
///
/// Everything that is known of the project's agreement, as one file for people.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/agreement.html", tag = "Agreement",
    params(("project" = ProjectId, Path), SwitchesQuery),
    responses((status = 200, description = "The file.", content_type = "text/html", body = String)),
)]
async fn export_report(
    Ask(services, actor, project): Ask<ProjectId>,
    Query(switches): Query<SwitchesQuery>,
) -> Reply {
    let file = services::agreement::report(&services, &actor, project, switches.into()).await?;
    Ok(download(file))
}

async fn text(
    Ask(services, actor, project): Ask<ProjectId>,
    Query(switches): Query<SwitchesQuery>,
    format: TextFormat,
) -> Reply<String> {
    let snapshot =
        services::agreement::snapshot(&services, &actor, project, switches.into()).await?;
    Ok(matrix_as_text(&snapshot, format))
}

async fn export(
    Ask(services, actor, project): Ask<ProjectId>,
    Query(switches): Query<SwitchesQuery>,
    format: MatrixFormat,
) -> Reply {
    let switches = switches.into();
    let file = services::agreement::export(&services, &actor, project, switches, format).await?;
    Ok(download(file))
}
