//! The matrix, for programs and spreadsheets.

use std::sync::Arc;

use app::{TextFormat, matrix_as_text};
use axum::{
    Extension,
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{Actor, ProjectId, Switches};
use http::{HeaderValue, header::CONTENT_TYPE};
use services::agreement::MatrixFormat;

use super::{
    download::download,
    extract::{Path, Query, StudyQuery, SwitchesQuery},
};
use crate::{Site, problem::Problem};

/// The matrix under the given switches.
pub(crate) async fn load(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(switches): Query<SwitchesQuery>,
) -> Result<Response, Problem> {
    let snapshot =
        services::agreement::snapshot(&site.services, &actor, project, switches.into()).await?;
    let json = HeaderValue::from_static("application/json");
    Ok(([(CONTENT_TYPE, json)], snapshot.json().to_owned()).into_response())
}

/// The matrix with the counts of every pair, as a table.
pub(crate) async fn export_csv(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(switches): Query<SwitchesQuery>,
) -> Result<Response, Problem> {
    export(&site, &actor, project, switches.into(), MatrixFormat::Csv).await
}

/// The matrix with the counts of every pair, all together and by document.
pub(crate) async fn export_json(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(switches): Query<SwitchesQuery>,
) -> Result<Response, Problem> {
    export(&site, &actor, project, switches.into(), MatrixFormat::Json).await
}

/// The matrix as a picture.
pub(crate) async fn export_svg(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(switches): Query<SwitchesQuery>,
) -> Result<Response, Problem> {
    export(&site, &actor, project, switches.into(), MatrixFormat::Svg).await
}

/// The matrix as a table for a spreadsheet.
pub(crate) async fn export_tsv(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(switches): Query<SwitchesQuery>,
) -> Result<String, Problem> {
    text(&site, &actor, project, switches.into(), TextFormat::Tsv).await
}

/// The matrix as a table for a Markdown page.
pub(crate) async fn export_markdown(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(switches): Query<SwitchesQuery>,
) -> Result<String, Problem> {
    text(&site, &actor, project, switches.into(), TextFormat::Markdown).await
}

/// The matrix as a table for a LaTeX article.
pub(crate) async fn export_latex(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(switches): Query<SwitchesQuery>,
) -> Result<String, Problem> {
    text(&site, &actor, project, switches.into(), TextFormat::Latex).await
}

/// Who said what at which position, as a coding study.
pub(crate) async fn export_study(
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

/// Labelers' spans as units on one continuum, as a unitizing study.
pub(crate) async fn export_units(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(switches): Query<SwitchesQuery>,
) -> Result<Response, Problem> {
    let services = &site.services;
    let file = services::agreement::units(services, &actor, project, switches.into()).await?;
    Ok(download(file))
}

/// Who said what, under ids alone, in the form that the prediction of the what-if page reads.
pub(crate) async fn load_what_if(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(switches): Query<SwitchesQuery>,
) -> Result<Vec<u8>, Problem> {
    let services = &site.services;
    Ok(services::agreement::what_if(services, &actor, project, switches.into()).await?)
}

/// Everything that is known of the project's agreement, as one file for people.
pub(crate) async fn export_report(
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
