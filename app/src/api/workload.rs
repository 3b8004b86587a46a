//! Server functions for giving work out; each leads back to the board.

use domain::{MemberId, ProjectId, WorkloadBatchId};
use leptos::prelude::*;

use crate::ApiError;

/// Carries out what was previewed. `ask` is what was asked for, as JSON.
#[server(prefix = "/fn", endpoint = "workload/give")]
pub async fn give_work(project: ProjectId, ask: String, seen: String) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let read = serde_json::from_str(&ask);
    let ask = crate::context::answer(
        read.map_err(|_| domain::Code::Malformed.of("ask", "this cannot be read")),
    )?;
    let done = services::workload::give(&services, &actor, project, ask, &seen).await;
    crate::context::answer_at(done, &format!("/projects/{project}/work/people#acts"))
}

/// Undoes what was given out at once, wherever nobody has begun.
#[server(prefix = "/fn", endpoint = "workload/undo")]
pub async fn undo_work(project: ProjectId, act: WorkloadBatchId) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let done = services::workload::undo(&services, &actor, project, act).await;
    crate::context::answer_at(done, &format!("/projects/{project}/work/people#acts"))
}

/// Pauses a labeler's work, or lets it go on.
#[server(prefix = "/fn", endpoint = "workload/pause")]
pub async fn pause_work(project: ProjectId, member: MemberId, pause: bool) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let done = services::workload::pause(&services, &actor, project, member, pause).await;
    crate::context::answer_at(done, &format!("/projects/{project}/work/people"))
}

/// Has labelers draw their next document, or changes how.
#[server(prefix = "/fn", endpoint = "workload/open_pool")]
pub async fn open_pool(
    project: ProjectId,
    overlap: u32,
    cap: u32,
    days: u32,
) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let pool = domain::Pool { overlap, cap, days };
    let done = services::workload::open_pool(&services, &actor, project, pool).await;
    crate::context::answer_at(done, &format!("/projects/{project}/work/people#pool"))
}

/// Documents are not drawn any more.
#[server(prefix = "/fn", endpoint = "workload/close_pool")]
pub async fn close_pool(project: ProjectId) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let done = services::workload::close_pool(&services, &actor, project).await;
    crate::context::answer_at(done, &format!("/projects/{project}/work/people#pool"))
}

/// Gives the labeler who asks the next document, and opens it.
#[server(prefix = "/fn", endpoint = "workload/draw")]
pub async fn draw_document(project: ProjectId) -> Result<(), ApiError> {
    use crate::context::{answer, lead_to, request};

    let (services, actor) = request()?;
    let drawn = answer(services::workload::draw(&services, &actor, project).await)?;
    lead_to(&format!("/assignments/{drawn}"));
    Ok(())
}
