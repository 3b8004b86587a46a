//! Files to be compared without a project: sent, compared, forgotten. As a page for people, as
//! JSON or files for programs and to take away.

#![expect(unused_qualifications, reason = "the description names the query by its module")]

use std::{collections::BTreeMap, sync::Arc};

use app::{ComparisonOutcome, FilesCompared, PageKind, context::wants_html};
use axum::{
    Extension, Json,
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use domain::{
    Actor, Code, Comparison, Error, ImportProblem, MatchBy, Measure, PolicyChoice, RatersFrom,
    ScaleChoice, Switches,
};
use http::{Method, StatusCode};
use leptos::prelude::provide_context;
use serde::Deserialize;
use services::document::{
    FileOptions,
    comparison::{ComparingOptions, ComparisonSlot, MAX_COMPARED_BYTES, check_raters},
    export::{Export, ListFormat},
    import::SpooledFile,
};

use utoipa::{IntoParams, ToSchema};

use super::reading::{ReadingParams, read_file_options};
use crate::{
    Site, pages,
    rest::base::{
        download::download,
        extract::Query,
        upload::{Limits, Upload},
    },
    site::problem::Problem,
};

/// How large the form of a comparison may be.
const LIMITS: Limits = Limits {
    files: 2_000,
    name: 1024,
    bytes: MAX_COMPARED_BYTES,
    too_many_bytes: "the files exceed 64 MiB together; use the command line",
    field: 1024,
    what: "a comparison",
};

/// The longest list that is sent.
const MAX_LIST_BYTES: usize = 128 * 1024 * 1024;

/// A form with files.
#[derive(ToSchema)]
struct Files {
    /// Once for each file.
    #[schema(value_type = Vec<String>, format = Binary)]
    #[expect(dead_code, reason = "a description: the form is read as it comes")]
    files: Vec<Vec<u8>>,
    /// Once for each rater who does not count. What a label counts as is in a field
    /// `label:<label>`, which is empty where it does not count.
    #[expect(dead_code, reason = "a description: the form is read as it comes")]
    leave_out: Option<Vec<String>>,
}

/// What is to be made of the files. In a form the fields of the same names come first.
#[derive(Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(crate) struct CompareQuery {
    measure: Measure,
    policy: PolicyChoice,
    scale: ScaleChoice,
    #[param(inline)]
    raters: RatersFrom,
    #[param(inline)]
    r#match: MatchBy,
    #[param(inline)]
    r#as: As,
    /// How the files are read.
    #[serde(flatten, deserialize_with = "read_file_options")]
    #[param(ignore)]
    files: FileOptions,
    /// Raters who do not count: a field of the form for each.
    #[serde(skip)]
    #[param(ignore)]
    leave_out: Vec<String>,
    /// What labels count as: a field `label:<label>` of the form for each, empty where it does not
    /// count.
    #[serde(skip)]
    #[param(ignore)]
    labels: BTreeMap<String, String>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum As {
    /// A page for people, numbers for programs.
    #[default]
    Shown,
    Json,
    Csv,
    Jsonl,
    Report,
}

/// What came of the files.
enum ComparisonAnswer {
    Shown(Box<Comparison>),
    File(Export),
    Wrong(Vec<ImportProblem>),
}

/// Compare files
///
/// Compares the files of a form for a program.
#[utoipa::path(
    post, path = "/api/v1/compare", tag = "Agreement",
    params(CompareQuery, ReadingParams),
    request_body(
        content = Files, content_type = "multipart/form-data", description = "Files of several raters, each in a field `files`.",
    ),
    responses((
        status = 200, description = "The comparison; with `as` other than `shown`, a file.",
        content((Comparison = "application/json"), (String = "text/csv"),
            (String = "application/jsonl"), (String = "text/html")),
    )),
)]
pub(super) async fn compare(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Query(query): Query<CompareQuery>,
    request: Request,
) -> Response {
    match carry_out(&site, &actor, query, request).await.1 {
        Ok(ComparisonAnswer::Shown(comparison)) => Json(comparison).into_response(),
        Ok(ComparisonAnswer::File(file)) => download(file),
        Ok(ComparisonAnswer::Wrong(problems)) => Problem::of_compared(problems).into_response(),
        Err(problem) => problem.into_response(),
    }
}

/// Compares the files of a form, and answers with the page that the form stands on.
pub(crate) async fn compare_for_people(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Query(query): Query<CompareQuery>,
    request: Request,
) -> Response {
    let (mut parts, body) = request.into_parts();
    let request = Request::from_parts(parts.clone(), body);
    let (options, outcome) = carry_out(&site, &actor, query, request).await;
    let (status, outcome) = match outcome {
        Ok(ComparisonAnswer::File(file)) => return download(file),
        Ok(ComparisonAnswer::Shown(comparison)) => {
            (StatusCode::OK, ComparisonOutcome::Compared(comparison))
        }
        Ok(ComparisonAnswer::Wrong(problems)) => {
            (StatusCode::UNPROCESSABLE_ENTITY, ComparisonOutcome::Wrong(problems))
        }
        Err(problem) if !wants_html(&parts.headers) => return problem.into_response(),
        Err(problem) => (problem.status(), ComparisonOutcome::Failed(problem.into_error().into())),
    };
    parts.method = Method::GET;
    let compared = FilesCompared { options, outcome: Arc::new(outcome) };
    let request = Request::from_parts(parts, axum::body::Body::empty());
    let tell = move || provide_context(compared.clone());
    let mut response = pages::load_told(site, request, PageKind::Reading, tell).await;
    *response.status_mut() = status;
    response
}

/// What the files were to be compared by, and what came of it.
async fn carry_out(
    site: &Site,
    actor: &Actor,
    query: CompareQuery,
    request: Request,
) -> (ComparingOptions, Result<ComparisonAnswer, Problem>) {
    let mut asked = query;
    let outcome = wait_and_compare(site, actor, &mut asked, request).await;
    (asked.options(), outcome)
}

async fn wait_and_compare(
    site: &Site,
    actor: &Actor,
    asked: &mut CompareQuery,
    request: Request,
) -> Result<ComparisonAnswer, Problem> {
    let upload = Upload::begin(site, actor, request, LIMITS).await?;
    let files = upload.receive(|name, value| asked.set(name, value)).await?;
    // Whoever waits for their turn has their files on the disk.
    let turn = services::document::comparison::wait_for_slot(&site.services, actor).await?;
    compare_files(site, turn, files, asked.clone()).await
}

async fn compare_files(
    site: &Site,
    turn: ComparisonSlot,
    files: Vec<SpooledFile>,
    asked: CompareQuery,
) -> Result<ComparisonAnswer, Problem> {
    let now = site.services.now();
    let most_unpacked = u64::try_from(MAX_COMPARED_BYTES).ok();
    let r#as = asked.r#as;
    let options = ComparingOptions { most_unpacked, ..asked.options() };
    let make = move |compared: services::document::comparison::Compared, until| match r#as {
        As::Shown => Ok(ComparisonAnswer::Shown(Box::new(compared.view(Some(until))))),
        As::Json => json(&compared.view(Some(until))).map(ComparisonAnswer::File),
        As::Csv => Ok(ComparisonAnswer::File(compared.list(ListFormat::Csv, MAX_LIST_BYTES)?)),
        As::Jsonl => {
            Ok(ComparisonAnswer::File(compared.list(ListFormat::JsonLines, MAX_LIST_BYTES)?))
        }
        As::Report => Ok(ComparisonAnswer::File(compared.report(now, Some(until)))),
    };
    match services::document::comparison::run(turn, files, options, make).await? {
        Ok(outcome) => outcome,
        Err(problems) => Ok(ComparisonAnswer::Wrong(problems)),
    }
}

fn json(comparison: &Comparison) -> Result<Export, Problem> {
    let body = serde_json::to_vec(comparison)
        .map_err(|error| Problem::of_request(Code::Internal, error.to_string()))?;
    Ok(Export {
        file_name: "comparison.json".to_owned(),
        content_type: "application/json",
        body,
        losses: Vec::new(),
    })
}

impl CompareQuery {
    fn options(self) -> ComparingOptions {
        let Self { measure, policy, scale, raters, r#match, files, leave_out, labels, .. } = self;
        let label = |(from, to): (String, String)| {
            (from != to).then(|| (from, Some(to).filter(|to| !to.is_empty())))
        };
        ComparingOptions {
            files,
            switches: Switches { measure, policy, scale, ..Switches::default() },
            raters_from: raters,
            match_by: r#match,
            leave_out: leave_out.into_iter().collect(),
            labels: labels.into_iter().filter_map(label).collect(),
            most_raters: None,
            most_unpacked: None,
        }
    }

    /// Takes a field of the form.
    fn set(&mut self, name: &str, value: &str) -> Result<(), Error> {
        match name {
            "measure" => self.measure = value.parse()?,
            "policy" => self.policy = value.parse()?,
            "scale" => self.scale = value.parse()?,
            "raters" => self.raters = value.parse()?,
            "pattern" if value.is_empty() => {}
            "pattern" => self.raters = format!("pattern:{value}").parse()?,
            "leave_out" => self.leave_out.push(value.to_owned()),
            "match" => self.r#match = value.parse()?,
            _ if let Some(label) = name.strip_prefix("label:") => {
                self.labels.insert(label.to_owned(), value.trim().to_owned());
            }
            _ if self.files.set(name, value)? => {}
            _ => return Err(Code::Unknown.of(name, "unknown field")),
        }
        check_raters(&self.raters)
    }
}
