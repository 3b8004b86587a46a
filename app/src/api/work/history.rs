//! Server functions for the versions of copies.

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
    use crate::context::{answer, lead_to, request};

    let (services, actor) = request()?;
    answer(services::work::history::restore(&services, &actor, assignment, version, base).await)?;
    lead_to(&format!("/assignments/{assignment}/history"));
    Ok(())
}
