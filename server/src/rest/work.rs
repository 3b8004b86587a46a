//! A labeler's own assignments: list, open, save, hand in, take back.

use axum::extract::OriginalUri;
use chrono::{DateTime, Utc};
use domain::{
    AssignmentCard, AssignmentId, AssignmentView, Fact, Label, ProjectId, Revision, WorkState,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    rest::base::{
        extract::{Ask, Body, Query, Reply},
        if_match::{Change, Changed, IfMatch, tagged},
        pages::{ListQuery, Listed},
    },
    site::route::{Declared, route},
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

/// List your assignments
///
/// Your assignments, in the order in which they were given.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/assignments", tag = "Assignments",
    params(("project" = ProjectId, Path), ListQuery),
    responses((
        status = 200, description = "A page of your assignments.", body = Listed<AssignmentCard>,
        headers(("Link" = String, description = "Where the next page is.")),
    )),
)]
async fn list(
    Ask(services, actor, project): Ask<ProjectId>,
    Query(query): Query<ListQuery>,
    OriginalUri(asked): OriginalUri,
) -> Reply {
    let (after, limit) = (AssignmentId(query.after()?), query.limit()?);
    let cards =
        services::work::list_assignments(&services, &actor, project, after, limit.into()).await?;
    Ok(Listed::page(cards, limit, |card| card.id.0).answer(&asked))
}

/// A document assigned to a labeler.
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
/// The document's text, the labels, and the state of your assignment.
#[utoipa::path(
    get, path = "/api/v1/assignments/{assignment}", tag = "Assignments",
    params(("assignment" = AssignmentId, Path)),
    responses((status = 200, description = "The assignment.", body = Assignment)),
)]
async fn load(Ask(services, actor, assignment): Ask<AssignmentId>) -> Reply {
    let view = services::work::annotation::load(&services, &actor, assignment).await?;
    Ok(tagged(view.content.revision, Assignment::from(view)))
}

/// The spans of an assignment and their attribute choices.
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
    responses((status = 200, description = "All spans of the assignment.", body = Spans)),
)]
async fn load_spans(Ask(services, actor, assignment): Ask<AssignmentId>) -> Reply {
    let (revision, facts) =
        services::work::annotation::facts(&services, &actor, assignment).await?;
    Ok(tagged(revision, Spans { spans: facts.into_iter().collect() }))
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
    Ask(services, actor, assignment): Ask<AssignmentId>,
    IfMatch(base): IfMatch,
    Body(Spans { spans }): Body<Spans>,
) -> Reply<Change> {
    let saved =
        services::work::annotation::replace(&services, &actor, assignment, base, spans).await?;
    Ok(saved.into())
}

/// Submit an assignment
///
/// From here on, text without spans is judged as having none.
#[utoipa::path(
    post, path = "/api/v1/assignments/{assignment}/submit", tag = "Assignments",
    params(("assignment" = AssignmentId, Path), ("If-Match" = String, Header)),
    responses((status = 200, description = "It is submitted.", body = Changed)),
)]
async fn submit(
    Ask(services, actor, assignment): Ask<AssignmentId>,
    IfMatch(base): IfMatch,
) -> Reply<Change> {
    Ok(services::work::annotation::submit(&services, &actor, assignment, base).await?.into())
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
    Ask(services, actor, assignment): Ask<AssignmentId>,
    IfMatch(base): IfMatch,
) -> Reply<Change> {
    Ok(services::work::annotation::reopen(&services, &actor, assignment, base).await?.into())
}
