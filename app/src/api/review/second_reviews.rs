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
    use crate::context::{answer, lead_to, request};

    let (services, actor) = request()?;
    let ask = domain::SecondReviewAsk { reviewer: Some(reviewer), percent };
    answer(services::review::second_reviews::give(&services, &actor, project, ask, &seen).await)?;
    lead_to(&format!("/projects/{project}/documents/second-reviews#samples"));
    Ok(())
}

/// Undoes a sample.
#[server(prefix = "/fn", endpoint = "second_reviews/undo")]
pub async fn undo_second_reviews(
    project: ProjectId,
    sample: SecondReviewId,
) -> Result<(), ApiError> {
    use crate::context::{answer, lead_to, request};

    let (services, actor) = request()?;
    answer(services::review::second_reviews::undo(&services, &actor, project, sample).await)?;
    lead_to(&format!("/projects/{project}/documents/second-reviews#samples"));
    Ok(())
}
