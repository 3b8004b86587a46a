//! Documents, brought as files: looked at first, then imported.

#![expect(unused_qualifications, reason = "the description names the query by its module")]

use std::{str::FromStr, sync::Arc};

use app::{ImportStage, context::wants_html};
use axum::{
    Extension, Json,
    extract::{
        Multipart, State,
        multipart::{MultipartError, MultipartRejection},
    },
    response::{Html, IntoResponse, Response},
};
use domain::{Actor, AssignTo, Error, ImportPreview, ImportSummary, ProjectId};
use http::{HeaderMap, StatusCode};
use serde::{Deserialize, Deserializer, Serialize, de};
use services::importing::{ImportOptions, UploadedFile};

use utoipa::{IntoParams, ToSchema};

use super::{
    extract::{Path, Query},
    files::Files,
};
use crate::{Site, problem::Problem};

/// The most files of one import.
const MAX_FILES: usize = 10_000;

/// What is to be done with the files.
#[derive(Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ImportQuery {
    #[param(inline)]
    mode: Mode,
    /// Who gets a copy: `everyone`, or how many labelers.
    #[serde(deserialize_with = "read_assign")]
    #[param(value_type = String, default = "everyone", pattern = "^(everyone|[1-9][0-9]{0,3})$")]
    assign: AssignTo,
    create_labels: bool,
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Mode {
    /// Say what they would bring.
    #[default]
    Preview,
    /// Import them.
    Commit,
}

/// What is answered to a program.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
enum Answer {
    Read(ImportPreview),
    Imported(ImportSummary),
}

/// What became of the files.
enum Outcome {
    Read(ImportPreview),
    Imported(ImportSummary),
}

/// Import documents
///
/// Says what the files would bring, or imports them; a person is answered with a piece of the page
/// of documents.
#[utoipa::path(
    post, path = "/api/v1/projects/{project}/imports", tag = "Documents",
    params(("project" = ProjectId, Path), ImportQuery),
    request_body(
        content = Files, content_type = "multipart/form-data", description = "Files of documents, each in a field `files`.",
    ),
    responses((
        status = 200, description = "What the files would bring, or have brought.",
        body = Answer,
    )),
)]
pub(crate) async fn create(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(query): Query<ImportQuery>,
    headers: HeaderMap,
    form: Result<Multipart, MultipartRejection>,
) -> Response {
    let create_labels = query.create_labels;
    let outcome = carry_out(&site, &actor, project, query, form).await;
    if !wants_html(&headers) {
        return match outcome {
            Ok(Outcome::Read(preview)) => Json(Answer::Read(preview)).into_response(),
            Ok(Outcome::Imported(summary)) => Json(Answer::Imported(summary)).into_response(),
            Err(problem) => problem.into_response(),
        };
    }
    let (status, stage) = match outcome {
        Ok(Outcome::Read(preview)) => {
            (StatusCode::OK, ImportStage::Read { preview, create_labels })
        }
        Ok(Outcome::Imported(summary)) => (StatusCode::OK, ImportStage::Imported(summary)),
        Err(problem) => (problem.status(), ImportStage::Failed(problem.into_error().into())),
    };
    (status, Html(stage.into_html())).into_response()
}

async fn carry_out(
    site: &Site,
    actor: &Actor,
    project: ProjectId,
    query: ImportQuery,
    form: Result<Multipart, MultipartRejection>,
) -> Result<Outcome, Problem> {
    let ImportQuery { mode, assign, create_labels } = query;
    let files = read_files(form?).await?;
    match mode {
        Mode::Preview => preview(site, actor, project, files, create_labels).await,
        Mode::Commit => {
            import(site, actor, project, files, ImportOptions { assign, create_labels }).await
        }
    }
}

async fn preview(
    site: &Site,
    actor: &Actor,
    project: ProjectId,
    files: Vec<UploadedFile>,
    create_labels: bool,
) -> Result<Outcome, Problem> {
    let preview =
        services::importing::preview(&site.services, actor, project, files, create_labels).await?;
    Ok(Outcome::Read(preview))
}

async fn import(
    site: &Site,
    actor: &Actor,
    project: ProjectId,
    files: Vec<UploadedFile>,
    options: ImportOptions,
) -> Result<Outcome, Problem> {
    let summary =
        services::importing::import(&site.services, actor, project, files, options).await?;
    Ok(Outcome::Imported(summary))
}

/// The files of the form's field `files`, in their order.
async fn read_files(mut form: Multipart) -> Result<Vec<UploadedFile>, Problem> {
    let mut files = Vec::new();
    while let Some(field) = form.next_field().await? {
        if field.name() != Some("files") {
            return Err(Error::invalid("files", "only the field `files` is read").into());
        }
        let Some(name) = field.file_name().map(str::to_owned) else {
            return Err(Error::invalid("files", "a file has a name").into());
        };
        if files.len() == MAX_FILES {
            let why = format!("an import has at most {MAX_FILES} files");
            return Err(Error::invalid("files", why).into());
        }
        files.push(UploadedFile { name, bytes: field.bytes().await?.into() });
    }
    Ok(files)
}

/// `everyone`, or how many labelers get a copy of each document.
fn read_assign<'de, D: Deserializer<'de>>(deserializer: D) -> Result<AssignTo, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text == "everyone" {
        return Ok(AssignTo::Everyone);
    }
    let copies = u32::from_str(&text);
    copies.map(AssignTo::Some).map_err(|_| de::Error::custom("assign is `everyone` or a number"))
}

impl From<MultipartRejection> for Problem {
    fn from(rejection: MultipartRejection) -> Self {
        Self::of_request(StatusCode::UNSUPPORTED_MEDIA_TYPE, rejection.body_text())
    }
}

impl From<MultipartError> for Problem {
    fn from(error: MultipartError) -> Self {
        Self::of_request(error.status(), error.body_text())
    }
}
