//! Server functions for the reasons of decisions.

use domain::ProjectId;
use leptos::prelude::*;

use crate::ApiError;

/// Writes other reasons down, one a line.
#[server(prefix = "/fn", endpoint = "reasons/save")]
pub async fn save_reasons(
    project: ProjectId,
    #[server(default)] reasons: String,
) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let done = services::project::reasons::save(&services, &actor, project, &reasons).await;
    crate::context::answer_at(done, &format!("/projects/{project}/settings/labels#reasons"))
}
