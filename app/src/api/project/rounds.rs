//! Server functions for rounds.

use domain::ProjectId;
use leptos::prelude::*;

use crate::ApiError;

/// Starts the project's next round and leads to all of them.
#[server(prefix = "/fn", endpoint = "rounds/start_round")]
pub async fn start_round(
    project: ProjectId,
    after: u64,
    title: String,
    note: String,
    guidelines: String,
) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let new = domain::NewRound { after, title, note, guidelines: Some(guidelines) };
    let done = services::project::rounds::start(&services, &actor, project, new).await;
    crate::context::answer_at(done, &format!("/projects/{project}/settings/rounds"))
}
