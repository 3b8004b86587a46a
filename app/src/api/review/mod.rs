//! Server functions for a reviewer's work.

pub mod gold;
pub mod rules;
pub mod second_reviews;
pub mod walk;

use domain::{DocumentId, ProjectId, ReviewOutcome, ReviewQueue, ReviewView, Revision};
use leptos::prelude::*;
use server_fn::codec::Json;

use crate::ApiError;

/// A page of the reviewer's queue.
#[server(prefix = "/fn", endpoint = "reviewing/list_reviews")]
pub async fn list_reviews(project: ProjectId, page: u64) -> Result<ReviewQueue, ApiError> {
    let (services, actor) = crate::context::request()?;
    crate::context::answer(services::review::queue(&services, &actor, project, page).await)
}

/// Opens a document for review.
#[server(prefix = "/fn", endpoint = "reviewing/load_review")]
pub async fn load_review(document: DocumentId) -> Result<ReviewView, ApiError> {
    let (services, actor) = crate::context::request()?;
    crate::context::answer(services::review::load(&services, &actor, document).await)
}

/// Saves decisions.
#[server(prefix = "/fn", endpoint = "reviewing/save_decisions", input = Json)]
pub async fn save_decisions(command: domain::SaveDecisions) -> Result<ReviewOutcome, ApiError> {
    let (services, actor) = crate::context::request()?;
    crate::context::answer(services::review::save(&services, &actor, command).await)
}

/// Ends the review of a document.
#[server(prefix = "/fn", endpoint = "reviewing/submit_review")]
pub async fn submit_review(
    document: DocumentId,
    base: Revision,
) -> Result<ReviewOutcome, ApiError> {
    let (services, actor) = crate::context::request()?;
    crate::context::answer(services::review::submit(&services, &actor, document, base).await)
}

/// Takes the end of a review back.
#[server(prefix = "/fn", endpoint = "reviewing/reopen_review")]
pub async fn reopen_review(
    document: DocumentId,
    base: Revision,
) -> Result<ReviewOutcome, ApiError> {
    let (services, actor) = crate::context::request()?;
    crate::context::answer(services::review::reopen(&services, &actor, document, base).await)
}
