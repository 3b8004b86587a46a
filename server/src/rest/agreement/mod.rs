//! The matrix, for programs and spreadsheets.

mod disagreements;

use std::sync::Arc;

use app::{TextFormat, matrix_as_text};
use axum::{
    Extension,
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{Actor, AgreementSnapshot, ProjectId, Switches};
use http::{HeaderValue, header::CONTENT_TYPE};
use services::agreement::MatrixFormat;

use crate::{
    Site, events,
    problem::Problem,
    rest::base::{
        download::download,
        extract::{Path, Query, StudyQuery, SwitchesQuery},
    },
    routes::{Declared, route},
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
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(switches): Query<SwitchesQuery>,
) -> Result<Response, Problem> {
    let snapshot =
        services::agreement::snapshot(&site.services, &actor, project, switches.into()).await?;
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
async fn export_csv(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(switches): Query<SwitchesQuery>,
) -> Result<Response, Problem> {
    export(&site, &actor, project, switches.into(), MatrixFormat::Csv).await
}

/// Export the matrix as JSON
///
/// The matrix with the counts of every pair, all together and by document.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/agreement.json", tag = "Agreement",
    params(("project" = ProjectId, Path), SwitchesQuery),
    responses((status = 200, description = "The file.", body = Object)),
)]
async fn export_json(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(switches): Query<SwitchesQuery>,
) -> Result<Response, Problem> {
    export(&site, &actor, project, switches.into(), MatrixFormat::Json).await
}

/// Export the matrix as a picture
///
/// The matrix as a picture.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/agreement.svg", tag = "Agreement",
    params(("project" = ProjectId, Path), SwitchesQuery),
    responses((status = 200, description = "The file.", content_type = "image/svg+xml", body = String)),
)]
async fn export_svg(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(switches): Query<SwitchesQuery>,
) -> Result<Response, Problem> {
    export(&site, &actor, project, switches.into(), MatrixFormat::Svg).await
}

/// Export the matrix as TSV
///
/// The matrix as a table for a spreadsheet.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/agreement.tsv", tag = "Agreement",
    params(("project" = ProjectId, Path), SwitchesQuery),
    responses((status = 200, description = "The file.", content_type = "text/plain", body = String)),
)]
async fn export_tsv(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(switches): Query<SwitchesQuery>,
) -> Result<String, Problem> {
    text(&site, &actor, project, switches.into(), TextFormat::Tsv).await
}

/// Export the matrix as Markdown
///
/// The matrix as a table for a Markdown page.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/agreement.md", tag = "Agreement",
    params(("project" = ProjectId, Path), SwitchesQuery),
    responses((status = 200, description = "The file.", content_type = "text/plain", body = String)),
)]
async fn export_markdown(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(switches): Query<SwitchesQuery>,
) -> Result<String, Problem> {
    text(&site, &actor, project, switches.into(), TextFormat::Markdown).await
}

/// Export the matrix as LaTeX
///
/// The matrix as a table for a LaTeX article.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/agreement.tex", tag = "Agreement",
    params(("project" = ProjectId, Path), SwitchesQuery),
    responses((status = 200, description = "The file.", content_type = "text/plain", body = String)),
)]
async fn export_latex(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(switches): Query<SwitchesQuery>,
) -> Result<String, Problem> {
    text(&site, &actor, project, switches.into(), TextFormat::Latex).await
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
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(query): Query<StudyQuery>,
) -> Result<Response, Problem> {
    let (switches, pair) = query.into();
    let services = &site.services;
    let file = services::agreement::study(services, &actor, project, switches, pair).await?;
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
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(switches): Query<SwitchesQuery>,
) -> Result<Response, Problem> {
    let services = &site.services;
    let file = services::agreement::units(services, &actor, project, switches.into()).await?;
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
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(switches): Query<SwitchesQuery>,
) -> Result<Vec<u8>, Problem> {
    let services = &site.services;
    Ok(services::agreement::what_if(services, &actor, project, switches.into()).await?)
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
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(switches): Query<SwitchesQuery>,
) -> Result<Response, Problem> {
    let services = &site.services;
    let file = services::agreement::report(services, &actor, project, switches.into()).await?;
    Ok(download(file))
}

async fn text(
    site: &Site,
    actor: &Actor,
    project: ProjectId,
    switches: Switches,
    format: TextFormat,
) -> Result<String, Problem> {
    let snapshot = services::agreement::snapshot(&site.services, actor, project, switches).await?;
    Ok(matrix_as_text(&snapshot, format))
}

async fn export(
    site: &Site,
    actor: &Actor,
    project: ProjectId,
    switches: Switches,
    format: MatrixFormat,
) -> Result<Response, Problem> {
    let file =
        services::agreement::export(&site.services, actor, project, switches, format).await?;
    Ok(download(file))
}
