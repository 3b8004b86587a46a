//! Server functions for the versions of assignments.

use domain::{AssignmentId, Revision};
use leptos::prelude::*;

use crate::ApiError;

/// Makes an earlier version current again, and leads back to the history.
#[server(prefix = "/fn", endpoint = "history/restore_version")]
pub async fn restore_version(
    assignment: AssignmentId,
    version: Revision,
    base: Revision,
) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let done = services::work::history::restore(&services, &actor, assignment, version, base).await;
    crate::context::answer_at(done, &format!("/assignments/{assignment}/history"))
}
