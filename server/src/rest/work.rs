//! A labeler's own copies of documents: list, open, save, hand in, take back.

use std::sync::Arc;

use axum::{
    Extension,
    extract::{OriginalUri, State},
    response::Response,
};
use chrono::{DateTime, Utc};
use domain::{
    Actor, AssignmentCard, AssignmentId, AssignmentView, Fact, Label, ProjectId, Revision,
    SaveOutcome, WorkState,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    Site,
    problem::Problem,
    rest::base::{
        extract::{Body, Path, Query},
        if_match::{Changed, IfMatch, conflict, tagged},
        pages::{ListQuery, Listed},
    },
    routes::{Declared, route},
};

/// What programs are answered here, with who may do it and what it takes.
pub(super) fn router() -> Vec<Declared> {
    vec![
        route!(load, Annotate, Light),
        route!(reopen, Annotate, Light),
        route!(load_spans, Annotate, Light),
        route!(save_spans, Annotate, Save),
        route!(submit, Annotate, Light),
        route!(list, ViewOwnWork, Light),
    ]
}

/// List one's own assignments
///
/// One's copies of documents, in the order in which they were given out.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/assignments", tag = "Assignments",
    params(("project" = ProjectId, Path), ListQuery),
    responses((
        status = 200, description = "A page of one's own copies.", body = Listed<AssignmentCard>,
        headers(("Link" = String, description = "Where the next page is.")),
    )),
)]
async fn list(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(query): Query<ListQuery>,
    OriginalUri(asked): OriginalUri,
) -> Result<Response, Problem> {
    let (after, limit) = (AssignmentId(query.after()?), query.limit()?);
    let cards =
        services::work::list_assignments(&site.services, &actor, project, after, limit.into())
            .await?;
    Ok(Listed::page(cards, limit, |card| card.id.0).answer(&asked))
}

/// A labeler's copy of a document.
#[derive(Serialize, ToSchema)]
struct Assignment {
    id: AssignmentId,
    project: ProjectId,
    document_name: String,
    text: String,
    labels: Vec<Label>,
    state: WorkState,
    /// How often it was changed; the answer's `ETag` is the same.
    revision: Revision,
    saved_at: Option<DateTime<Utc>>,
}

impl From<AssignmentView> for Assignment {
    fn from(view: AssignmentView) -> Self {
        let AssignmentView { id, project, document_name, text, labels, content, .. } = view;
        Self {
            id,
            project,
            document_name,
            text,
            labels,
            state: content.state,
            revision: content.revision,
            saved_at: content.saved_at,
        }
    }
}

/// Get an assignment
///
/// The document's text, the labels, and how far one's copy has come.
#[utoipa::path(
    get, path = "/api/v1/assignments/{assignment}", tag = "Assignments",
    params(("assignment" = AssignmentId, Path)),
    responses((status = 200, description = "The copy.", body = Assignment)),
)]
async fn load(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(assignment): Path<AssignmentId>,
) -> Result<Response, Problem> {
    let view = services::work::annotation::load(&site.services, &actor, assignment).await?;
    Ok(tagged(view.content.revision, Assignment::from(view)))
}

/// The spans of a copy and what was chosen on them.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Spans {
    /// Offsets are Unicode scalar values, half-open. A span that has a choice stands here as well as
    /// with each of its choices.
    spans: Vec<Fact>,
}

/// Get the spans of an assignment
#[utoipa::path(
    get, path = "/api/v1/assignments/{assignment}/spans", tag = "Assignments",
    params(("assignment" = AssignmentId, Path)),
    responses((status = 200, description = "All spans of the copy.", body = Spans)),
)]
async fn load_spans(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(assignment): Path<AssignmentId>,
) -> Result<Response, Problem> {
    let view = services::work::annotation::load(&site.services, &actor, assignment).await?;
    let spans = view.content.facts().into_iter().collect();
    Ok(tagged(view.content.revision, Spans { spans }))
}

/// Save the spans of an assignment
///
/// What is sent takes the place of what was there.
#[utoipa::path(
    put, path = "/api/v1/assignments/{assignment}/spans", tag = "Assignments",
    params(("assignment" = AssignmentId, Path), ("If-Match" = String, Header)),
    request_body(content = Spans, example = json!({
        "spans": [{ "start": 0, "end": 6, "label": 1 }],
    })),
    responses((status = 200, description = "They are saved.", body = Changed)),
)]
async fn save_spans(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(assignment): Path<AssignmentId>,
    IfMatch(base): IfMatch,
    Body(Spans { spans }): Body<Spans>,
) -> Result<Response, Problem> {
    let saved =
        services::work::annotation::replace(&site.services, &actor, assignment, base, spans)
            .await?;
    Ok(answer(saved))
}

/// Submit an assignment
///
/// From here on, what is not marked is judged as nothing to mark.
#[utoipa::path(
    post, path = "/api/v1/assignments/{assignment}/submit", tag = "Assignments",
    params(("assignment" = AssignmentId, Path), ("If-Match" = String, Header)),
    responses((status = 200, description = "It is handed in.", body = Changed)),
)]
async fn submit(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(assignment): Path<AssignmentId>,
    IfMatch(base): IfMatch,
) -> Result<Response, Problem> {
    Ok(answer(services::work::annotation::submit(&site.services, &actor, assignment, base).await?))
}

/// Reopen an assignment
///
/// Takes a submission back.
#[utoipa::path(
    post, path = "/api/v1/assignments/{assignment}/reopen", tag = "Assignments",
    params(("assignment" = AssignmentId, Path), ("If-Match" = String, Header)),
    responses((status = 200, description = "It can be changed again.", body = Changed)),
)]
async fn reopen(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(assignment): Path<AssignmentId>,
    IfMatch(base): IfMatch,
) -> Result<Response, Problem> {
    Ok(answer(services::work::annotation::reopen(&site.services, &actor, assignment, base).await?))
}

fn answer(outcome: SaveOutcome) -> Response {
    match outcome {
        SaveOutcome::Saved { revision, saved_at } => {
            tagged(revision, Changed { revision, saved_at })
        }
        SaveOutcome::Conflict(there) => conflict(there.revision),
    }
}
