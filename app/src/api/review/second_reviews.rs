//! Server functions for second reviews; each leads back to the page.

use domain::{MemberId, ProjectId, SecondReviewId};
use leptos::prelude::*;

use crate::ApiError;

/// Asks for the second reviews that were previewed.
#[server(prefix = "/fn", endpoint = "second_reviews/give")]
pub async fn give_second_reviews(
    project: ProjectId,
    reviewer: MemberId,
    percent: u32,
    seen: String,
) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let ask = domain::SecondReviewAsk { reviewer: Some(reviewer), percent };
    let done = services::review::second_reviews::give(&services, &actor, project, ask, &seen).await;
    crate::context::answer_at(done, &format!("/projects/{project}/work/second-reviews#samples"))
}

/// Undoes a sample.
#[server(prefix = "/fn", endpoint = "second_reviews/undo")]
pub async fn undo_second_reviews(
    project: ProjectId,
    sample: SecondReviewId,
) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let done = services::review::second_reviews::undo(&services, &actor, project, sample).await;
    crate::context::answer_at(done, &format!("/projects/{project}/work/second-reviews#samples"))
}
