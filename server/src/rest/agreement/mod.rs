//! The matrix, for programs and spreadsheets.

mod disagreements;
pub(crate) mod events;
mod models;
mod target;

use axum::response::{IntoResponse, Response};
use domain::{AgreementSnapshot, ProjectId};
use http::{HeaderValue, header::CONTENT_TYPE};
use services::agreement::{MatrixFormat, TextFormat};

use crate::{
    rest::base::{
        download::download,
        extract::{Ask, Query, Reply, ReportQuery, StudyQuery, SwitchesQuery},
    },
    site::route::{Declared, route},
};

/// What programs are answered here, with who may do it and what it takes.
pub(super) fn router() -> Vec<Declared> {
    vec![
        route!(load, ViewAgreement, Light),
        route!(export_csv, ViewAgreement, Export),
        route!(export_report, ViewAgreement, Export),
        route!(export_quality, ManageProject, Export),
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
        route!(models::load_of_model, ViewAgreement, Light),
        route!(models::load_scores, ViewAgreement, Export),
        route!(models::load_stand_in, ViewAgreement, Export),
        route!(models::list_versions, ViewAgreement, Export),
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
        services::agreement::snapshot(&services, &actor, project, switches.switches()).await?;
    let json = HeaderValue::from_static("application/json");
    Ok(([(CONTENT_TYPE, json)], snapshot.json().await?.to_string()).into_response())
}

/// Export a coding study
///
/// Who said what at which position, as a coding study. Under `overlap`, of two raters who are named.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/study.csv", tag = "Agreement",
    params(("project" = ProjectId, Path), StudyQuery),
    responses((status = 200, description = "The file.", content_type = "text/csv", body = String)),
)]
async fn export_study(
    Ask(services, actor, project): Ask<ProjectId>,
    Query(query): Query<StudyQuery>,
) -> Reply {
    let (switches, pair) = (query.switches(), query.first.zip(query.second));
    let file = services::agreement::study(&services, &actor, project, switches, pair).await?;
    Ok(download(file))
}

/// Handlers that hand out a file of what the switches show.
macro_rules! files {
    ($($(#[$words:meta])+ $name:ident, $path:tt, $kind:tt: $body:ident = $answer:ident($make:ident $(, $format:expr)?);)+) => {$(
        $(#[$words])+
        #[utoipa::path(
            get, path = $path, tag = "Agreement",
            params(("project" = ProjectId, Path), SwitchesQuery),
            responses((status = 200, description = "The file.", content_type = $kind, body = $body)),
        )]
        async fn $name(
            Ask(services, actor, project): Ask<ProjectId>,
            Query(switches): Query<SwitchesQuery>,
        ) -> Reply {
            let switches = switches.switches();
            let file = services::agreement::$make(&services, &actor, project, switches $(, $format)?).await?;
            Ok($answer(file))
        }
    )+};
}

files! {
    /// Export the matrix as CSV
    ///
    /// The matrix with the counts of every pair, as a table.
    export_csv, "/api/v1/projects/{project}/agreement.csv", "text/csv": String = download(export, MatrixFormat::Csv);

    /// Export the matrix as JSON
    ///
    /// The matrix with the counts of every pair, all together and by document.
    export_json, "/api/v1/projects/{project}/agreement.json", "application/json": Object = download(export, MatrixFormat::Json);

    /// Export the matrix as a picture
    ///
    /// The matrix as a picture.
    export_svg, "/api/v1/projects/{project}/agreement.svg", "image/svg+xml": String = download(export, MatrixFormat::Svg);

    /// Export the matrix as TSV
    ///
    /// The matrix as a table for a spreadsheet.
    export_tsv, "/api/v1/projects/{project}/agreement.tsv", "text/plain": String = plain(as_text, TextFormat::Tsv);

    /// Export the matrix as Markdown
    ///
    /// The matrix as a table for a Markdown page.
    export_markdown, "/api/v1/projects/{project}/agreement.md", "text/plain": String = plain(as_text, TextFormat::Markdown);

    /// Export the matrix as LaTeX
    ///
    /// The matrix as a table for a LaTeX article.
    export_latex, "/api/v1/projects/{project}/agreement.tex", "text/plain": String = plain(as_text, TextFormat::Latex);

    /// Export a unitizing study
    ///
    /// Labelers' spans as units on one continuum, as a unitizing study.
    export_units, "/api/v1/projects/{project}/units.csv", "text/csv": String = download(units);

    /// Get judgements for what-if
    ///
    /// Who said what, under ids alone, in the form that the prediction of the what-if page reads. Under `cleaned` and
    /// `empty-label` only.
    load_what_if, "/api/v1/projects/{project}/what-if", "application/octet-stream": String = plain(what_if);
}

/// Export the report
///
/// Everything that is known of the project's agreement, as one file for people.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/agreement.html", tag = "Agreement",
    params(("project" = ProjectId, Path), ReportQuery),
    responses((status = 200, description = "The file.", content_type = "text/html", body = String)),
)]
async fn export_report(
    Ask(services, actor, project): Ask<ProjectId>,
    Query(query): Query<ReportQuery>,
) -> Reply {
    let (switches, minority) = (query.switches(), query.minority);
    Ok(download(services::agreement::report(&services, &actor, project, switches, minority).await?))
}

/// Export the quality statement
///
/// How the project was annotated and how good the outcome is, as one file for the appendix of a paper or for an
/// audit. People stand under pseudonyms.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/quality.html", tag = "Agreement",
    params(("project" = ProjectId, Path)),
    responses((status = 200, description = "The file.", content_type = "text/html", body = String)),
)]
async fn export_quality(Ask(services, actor, project): Ask<ProjectId>) -> Reply {
    Ok(download(services::overview::quality(&services, &actor, project).await?))
}

/// What is to be read where it was asked for, not saved as a file.
fn plain(content: impl IntoResponse) -> Response {
    content.into_response()
}
