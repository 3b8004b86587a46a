//! Server functions for repeats.

use domain::{ProjectId, RepeatBatchId};
use leptos::prelude::*;

use crate::ApiError;

/// Gives the repeats that were previewed and leads back to their page.
#[server(prefix = "/fn", endpoint = "repeats/give_repeats")]
pub async fn give_repeats(
    project: ProjectId,
    documents: u32,
    days: u32,
    seen: String,
) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let ask = domain::RepeatAsk { documents, days };
    let done = services::work::repeats::give(&services, &actor, project, ask, &seen).await;
    crate::context::answer_at(done, &format!("/projects/{project}/work/repeats"))
}

/// Takes back the repeats of a batch that nobody has begun, and leads back to their page.
#[server(prefix = "/fn", endpoint = "repeats/take_back")]
pub async fn take_repeats_back(project: ProjectId, batch: RepeatBatchId) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let done = services::work::repeats::take_back(&services, &actor, project, batch).await;
    crate::context::answer_at(done, &format!("/projects/{project}/work/repeats"))
}
