//! Server functions for a labeler's own work.

pub mod comments;
pub mod flags;
pub mod focus;
pub mod history;
pub mod repeats;

use domain::{AssignmentId, AssignmentView, OwnWork, ProjectId, Revision, SaveOutcome};
use leptos::prelude::*;
use server_fn::codec::Json;

use crate::ApiError;

/// One's own documents and agreement.
#[server(prefix = "/fn", endpoint = "annotating/load_own_work")]
pub async fn load_own_work(project: ProjectId) -> Result<OwnWork, ApiError> {
    let (services, actor) = crate::context::request()?;
    crate::context::answer(services::work::load(&services, &actor, project).await)
}

/// Opens one's assignment.
#[server(prefix = "/fn", endpoint = "annotating/load_assignment")]
pub async fn load_assignment(assignment: AssignmentId) -> Result<AssignmentView, ApiError> {
    let (services, actor) = crate::context::request()?;
    crate::context::answer(services::work::annotation::load(&services, &actor, assignment).await)
}

/// Saves changes to one's assignment.
#[server(prefix = "/fn", endpoint = "annotating/save_spans", input = Json)]
pub async fn save_spans(command: domain::SaveSpans) -> Result<SaveOutcome, ApiError> {
    let (services, actor) = crate::context::request()?;
    crate::context::answer(services::work::annotation::save(&services, &actor, command).await)
}

/// Hands one's assignment in.
#[server(prefix = "/fn", endpoint = "annotating/submit_assignment")]
pub async fn submit_assignment(
    assignment: AssignmentId,
    base: Revision,
) -> Result<SaveOutcome, ApiError> {
    let (services, actor) = crate::context::request()?;
    crate::context::answer(
        services::work::annotation::submit(&services, &actor, assignment, base).await,
    )
}

/// Takes a submission back.
#[server(prefix = "/fn", endpoint = "annotating/reopen_assignment")]
pub async fn reopen_assignment(
    assignment: AssignmentId,
    base: Revision,
) -> Result<SaveOutcome, ApiError> {
    let (services, actor) = crate::context::request()?;
    crate::context::answer(
        services::work::annotation::reopen(&services, &actor, assignment, base).await,
    )
}
