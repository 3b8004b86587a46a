//! Server functions for time on task.

use domain::{AssignmentId, DocumentId, ProjectId};
use leptos::prelude::*;

use crate::ApiError;

/// Takes in how many minutes somebody worked on their copy, or on their review of a document. What
/// the clock does not allow is not counted: the answer is what was.
#[server(prefix = "/fn", endpoint = "focus/report_focus")]
pub async fn report_focus(
    #[server(default)] copy: Option<AssignmentId>,
    #[server(default)] review: Option<DocumentId>,
    minutes: u32,
) -> Result<u64, ApiError> {
    use crate::context::{answer, request};
    use domain::Task;

    let (services, actor) = request()?;
    let task = copy.map(Task::Copy).or(review.map(Task::Review));
    let task = answer(task.ok_or_else(|| domain::Code::Unknown.of("copy", "a copy or a review")))?;
    answer(services::work::focus::report(&services, &actor, task, minutes).await)
}

/// Has a project measure time on task, or not.
#[server(prefix = "/fn", endpoint = "focus/set_measured")]
pub async fn set_measured(project: ProjectId, measured: bool) -> Result<(), ApiError> {
    use crate::context::{answer, lead_to, request};

    let (services, actor) = request()?;
    answer(services::work::focus::set_measured(&services, &actor, project, measured).await)?;
    lead_to(&format!("/projects/{project}/settings#time"));
    Ok(())
}
