//! Documents, brought as files: looked at first, then imported, and undone if need be.

#![expect(unused_qualifications, reason = "the description names the query by its module")]

use std::sync::Arc;

use app::{ImportStage, context::wants_html};
use axum::{
    Json,
    extract::{Request, State},
    response::{Html, IntoResponse, Response},
};
use domain::{
    Actor, AssignTo, Code, ImportAs, ImportId, ImportMapping, ImportPreview, ImportRecord,
    ImportSummary, ProjectId, RatersFrom, nul_refusal,
};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::{Deserialize, Deserializer, Serialize, de};
use services::document::{
    FileOptions,
    comparison::check_raters,
    import::{ImportOptions, MAX_UPLOAD_BYTES, SpooledFile, UPLOAD_TOO_LARGE},
};

use utoipa::{IntoParams, ToSchema};

use super::reading::{ReadingParams, read_file_options};
use crate::{
    Site,
    middleware::nul::is_in_json,
    rest::base::{
        extract::{Ask, Query, Reply},
        upload::{Limits, Upload},
    },
    site::problem::Problem,
};

/// How large the form of an import may be.
const LIMITS: Limits = Limits {
    files: 10_000,
    name: 4096,
    bytes: MAX_UPLOAD_BYTES,
    too_many_bytes: UPLOAD_TOO_LARGE,
    field: 4 * 1024 * 1024,
    what: "an import",
};

/// What is to be done with the files. What people and labels of the files become is in the form's
/// field `mapping`, as JSON.
#[derive(Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(super) struct ImportQuery {
    #[param(inline)]
    mode: Mode,
    /// Whether spans become suggestions or people's saved work.
    r#as: ImportAs,
    /// Who is assigned each document: `everyone`, `nobody`, or a number of labelers.
    #[serde(deserialize_with = "read_assign")]
    #[param(value_type = String, default = "everyone", pattern = "^(everyone|nobody|[1-9][0-9]{0,3})$")]
    assign: AssignTo,
    /// Whether labels that the project does not have are added.
    create_labels: bool,
    /// What people's work is in.
    #[param(inline)]
    state: WorkIn,
    /// What happens to work that people already have in a document, where spans differ.
    #[param(inline)]
    differing: Differing,
    /// Where the names of people are taken from.
    #[param(inline)]
    raters: RatersFrom,
    /// How the files are read.
    #[serde(flatten, deserialize_with = "read_file_options")]
    #[param(ignore)]
    files: FileOptions,
}

/// A form with files to import.
#[derive(ToSchema)]
struct ImportForm {
    /// Once for each file.
    #[schema(value_type = Vec<String>, format = Binary)]
    #[expect(dead_code, reason = "a description: the form is read as it comes")]
    files: Vec<Vec<u8>>,
    /// What people and labels of the files become, as JSON; before or after the files.
    #[expect(dead_code, reason = "a description: the form is read as it comes")]
    mapping: Option<ImportMapping>,
}

#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Mode {
    /// Say what they would bring.
    #[default]
    Preview,
    /// Import them, and answer when they are there.
    Commit,
    /// Begin to import them, and say where to look how far it has come.
    Start,
}

/// What people's work is in.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum WorkIn {
    #[default]
    Submitted,
    Saved,
}

/// What happens to work that people already have in a document, where spans differ.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Differing {
    #[default]
    Refuse,
    Keep,
}

/// What is answered to a program.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
enum Answer {
    Read(Box<ImportPreview>),
    Imported(ImportSummary),
}

/// What became of the files.
enum FilesImported {
    Read(Box<ImportPreview>),
    Imported(ImportSummary),
    Started(ImportId),
}

/// An import that has begun.
#[derive(Serialize, ToSchema)]
struct Started {
    import: ImportId,
}

/// Import documents
///
/// Says what the files would bring, or imports them; a person is answered with a piece of the page
/// of documents.
#[utoipa::path(
    post, path = "/api/v1/projects/{project}/imports", tag = "Documents",
    params(("project" = ProjectId, Path), ImportQuery, ReadingParams),
    request_body(
        content = ImportForm, content_type = "multipart/form-data",
        description = "Files of documents, and what people and labels of theirs become.",
    ),
    responses(
        (status = 200, description = "What the files contain, or have added.", body = Answer),
        (status = 202, description = "Started; `Location` is where to look.", body = Started),
    ),
)]
pub(super) async fn create(
    State(site): State<Arc<Site>>,
    ask: Ask<ProjectId>,
    Query(query): Query<ImportQuery>,
    request: Request,
) -> Response {
    let (project, mode, is_html) = (ask.2, query.mode, wants_html(request.headers()));
    let mut options = query.options();
    if let Err(error) = check_raters(&options.raters_from) {
        return Problem::from(error).into_response();
    }
    let outcome = match received(&site, &ask.1, request, &mut options).await {
        Ok(files) => carry_out(&ask, files, (mode, options.clone())).await,
        Err(problem) => Err(problem),
    };
    let (status, stage) = match outcome {
        Ok(FilesImported::Started(id)) => return started(project, id, is_html),
        Ok(FilesImported::Read(preview)) if !is_html => {
            return Json(Answer::Read(preview)).into_response();
        }
        Ok(FilesImported::Imported(summary)) if !is_html => {
            return Json(Answer::Imported(summary)).into_response();
        }
        Err(problem) if !is_html => return problem.into_response(),
        Ok(FilesImported::Read(preview)) => {
            (StatusCode::OK, ImportStage::Read { preview, options: Box::new(options) })
        }
        Ok(FilesImported::Imported(summary)) => {
            (StatusCode::OK, ImportStage::Imported { project, summary })
        }
        Err(problem) => (problem.status(), ImportStage::Failed(problem.into_error().into())),
    };
    (status, Html(stage.into_html())).into_response()
}

/// Where to look how far an import has come.
fn started(project: ProjectId, import: ImportId, is_html: bool) -> Response {
    let address = format!("/api/v1/projects/{project}/imports/{import}");
    let mut response = if is_html {
        Html(ImportStage::started(project, import).into_html()).into_response()
    } else {
        Json(Started { import }).into_response()
    };
    *response.status_mut() = StatusCode::ACCEPTED;
    if let Ok(address) = HeaderValue::from_str(&address) {
        response.headers_mut().insert(header::LOCATION, address);
    }
    response
}

async fn carry_out(
    ask: &Ask<ProjectId>,
    files: Vec<SpooledFile>,
    (mode, options): (Mode, ImportOptions),
) -> Reply<FilesImported> {
    match mode {
        Mode::Preview => preview(ask, files, options).await,
        Mode::Commit => import(ask, files, options).await,
        Mode::Start => start(ask, files, options).await,
    }
}

async fn preview(
    Ask(services, actor, project): &Ask<ProjectId>,
    files: Vec<SpooledFile>,
    options: ImportOptions,
) -> Reply<FilesImported> {
    let preview =
        services::document::import::preview(services, actor, *project, files, options).await?;
    Ok(FilesImported::Read(Box::new(preview)))
}

async fn import(
    Ask(services, actor, project): &Ask<ProjectId>,
    files: Vec<SpooledFile>,
    options: ImportOptions,
) -> Reply<FilesImported> {
    let summary =
        services::document::import::import(services, actor, *project, files, options).await?;
    Ok(FilesImported::Imported(summary))
}

async fn start(
    Ask(services, actor, project): &Ask<ProjectId>,
    files: Vec<SpooledFile>,
    options: ImportOptions,
) -> Reply<FilesImported> {
    let id = services::document::import::start(services, actor, *project, files, options).await?;
    Ok(FilesImported::Started(id))
}

/// List imports
///
/// The latest ones.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/imports", tag = "Documents",
    params(("project" = ProjectId, Path)),
    responses((status = 200, description = "The latest first.", body = Vec<ImportRecord>)),
)]
pub(super) async fn list(
    Ask(services, actor, project): Ask<ProjectId>,
) -> Reply<Json<Vec<ImportRecord>>> {
    Ok(Json(services::document::import::list(&services, &actor, project).await?))
}

/// Get an import
///
/// How far it has come.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/imports/{import}", tag = "Documents",
    params(("project" = ProjectId, Path), ("import" = ImportId, Path)),
    responses((status = 200, description = "The import.", body = ImportRecord)),
)]
pub(super) async fn load(
    Ask(services, actor, (project, import)): Ask<(ProjectId, ImportId)>,
    headers: HeaderMap,
) -> Reply {
    let record = services::document::import::load(&services, &actor, project, import).await?;
    if wants_html(&headers) {
        return Ok(Html(ImportStage::of(project, record).into_html()).into_response());
    }
    Ok(Json(record).into_response())
}

/// Cancel an import
///
/// Stops one that runs; nothing of it stays. One that is certain to come (`is_decided`) is not stopped any
/// more, and can be undone when it is done.
#[utoipa::path(
    post, path = "/api/v1/projects/{project}/imports/{import}/cancel", tag = "Documents",
    params(("project" = ProjectId, Path), ("import" = ImportId, Path)),
    responses((status = 202, description = "It stops at the next document.")),
)]
pub(super) async fn cancel(
    Ask(services, actor, (project, import)): Ask<(ProjectId, ImportId)>,
) -> Reply<StatusCode> {
    services::document::import::cancel(&services, &actor, project, import).await?;
    Ok(StatusCode::ACCEPTED)
}

/// Undo an import
///
/// Takes away again what it has brought; a person is answered with a piece of the page.
#[utoipa::path(
    post, path = "/api/v1/projects/{project}/imports/{import}/undo", tag = "Documents",
    params(("project" = ProjectId, Path), ("import" = ImportId, Path)),
    responses((status = 204, description = "It is as if it had not been.")),
)]
pub(super) async fn undo(
    Ask(services, actor, (project, import)): Ask<(ProjectId, ImportId)>,
    headers: HeaderMap,
) -> Response {
    let outcome = services::document::import::undo(&services, &actor, project, import).await;
    match outcome.map_err(Problem::from) {
        Ok(()) if wants_html(&headers) => Html(ImportStage::Undone.into_html()).into_response(),
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(problem) if wants_html(&headers) => {
            let stage = ImportStage::Failed(problem.into_error().into());
            Html(stage.into_html()).into_response()
        }
        Err(problem) => problem.into_response(),
    }
}

impl ImportQuery {
    fn options(self) -> ImportOptions {
        let Self { r#as, assign, create_labels, state, differing, raters, files, .. } = self;
        ImportOptions {
            files,
            import_as: r#as,
            assign,
            create_labels,
            in_progress: state == WorkIn::Saved,
            keep_differing: differing == Differing::Keep,
            raters_from: raters,
            mapping: ImportMapping::default(),
        }
    }
}

/// The files of the form's field `files`, in their order, and what people and labels become.
async fn received(
    site: &Site,
    actor: &Actor,
    request: Request,
    options: &mut ImportOptions,
) -> Reply<Vec<SpooledFile>> {
    let upload = Upload::begin(site, actor, request, LIMITS).await?;
    let take = |name: &str, value: &str| {
        if name != "mapping" {
            let why = "only the fields `files` and `mapping` are read";
            return Err(Code::Unknown.of("files", why));
        }
        // The text of JSON may stand for one that it has not itself.
        if is_in_json(value) {
            return Err(nul_refusal("mapping"));
        }
        options.mapping = serde_json::from_str(value)
            .map_err(|error| Code::Malformed.of("mapping", error.to_string()))?;
        Ok(())
    };
    upload.receive(take).await
}

/// `everyone`, `nobody`, or how many labelers are assigned each document.
fn read_assign<'de, D: Deserializer<'de>>(deserializer: D) -> Result<AssignTo, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
}
