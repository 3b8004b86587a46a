//! Server functions for comments; each leads back to where it was written.

use domain::{AssignmentId, CommentThreadId, ProjectId};
use leptos::prelude::*;

use crate::ApiError;

/// Writes about a place of one's own assignment, or about the whole document where `at` is empty.
#[server(prefix = "/fn", endpoint = "comments/begin")]
pub async fn begin_comment(
    assignment: AssignmentId,
    at: String,
    words: String,
) -> Result<(), ApiError> {
    use crate::context::{answer, lead_to, request};

    let (services, actor) = request()?;
    let place = (!at.is_empty()).then(|| at.parse::<domain::Place>()).transpose();
    let place = answer(place)?;
    let range = place.map(|place| place.0);
    answer(services::work::comments::begin(&services, &actor, assignment, range, &words).await)?;
    let about = place.map(|place| format!("?at={place}")).unwrap_or_default();
    lead_to(&format!("/assignments/{assignment}/comments{about}"));
    Ok(())
}

/// Writes more in one's own thread.
#[server(prefix = "/fn", endpoint = "comments/go_on")]
pub async fn go_on(
    assignment: AssignmentId,
    thread: CommentThreadId,
    words: String,
) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let done = services::work::comments::go_on(&services, &actor, assignment, thread, &words).await;
    crate::context::answer_at(done, &format!("/assignments/{assignment}/comments"))
}

/// Answers a labeler. `back` is the document whose page it was answered on, or empty.
#[server(prefix = "/fn", endpoint = "comments/answer")]
pub async fn answer_comment(
    project: ProjectId,
    thread: CommentThreadId,
    back: String,
    words: String,
    #[server(default)] settles: bool,
) -> Result<(), ApiError> {
    use crate::context::{answer, lead_to_thread, request};

    let (services, actor) = request()?;
    let said =
        services::work::comments::answer(&services, &actor, project, thread, &words, settles);
    answer(said.await)?;
    lead_to_thread(project, thread, &back);
    Ok(())
}

/// Settles a thread, or opens it again.
#[server(prefix = "/fn", endpoint = "comments/settle")]
pub async fn settle_comments(
    project: ProjectId,
    thread: CommentThreadId,
    back: String,
    settle: bool,
) -> Result<(), ApiError> {
    use crate::context::{answer, lead_to_thread, request};

    let (services, actor) = request()?;
    let settled =
        services::work::comments::settle(&services, &actor, project, thread, settle).await;
    answer(settled)?;
    lead_to_thread(project, thread, &back);
    Ok(())
}
