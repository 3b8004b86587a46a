//! Server functions for time on task.

use domain::{AssignmentId, DocumentId, ProjectId};
use leptos::prelude::*;

use crate::ApiError;

/// Takes in how many minutes somebody worked on their assignment, or on their review of a document. What
/// the clock does not allow is not counted: the answer is what was.
#[server(prefix = "/fn", endpoint = "focus/report_focus")]
pub async fn report_focus(
    #[server(default)] assignment: Option<AssignmentId>,
    #[server(default)] review: Option<DocumentId>,
    minutes: u32,
) -> Result<u64, ApiError> {
    use crate::context::{answer, request};
    use domain::Task;

    let (services, actor) = request()?;
    let task = assignment.map(Task::Assignment).or(review.map(Task::Review));
    let task = answer(
        task.ok_or_else(|| domain::Code::Unknown.of("assignment", "an assignment or a review")),
    )?;
    answer(services::work::focus::report(&services, &actor, task, minutes).await)
}

/// Has a project measure time on task, or not.
#[server(prefix = "/fn", endpoint = "focus/set_measured")]
pub async fn set_measured(project: ProjectId, measured: bool) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let done = services::work::focus::set_measured(&services, &actor, project, measured).await;
    crate::context::answer_at(done, &format!("/projects/{project}/settings#time"))
}
