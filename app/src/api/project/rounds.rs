//! Server functions for rounds.

use domain::ProjectId;
use leptos::prelude::*;

use crate::ApiError;

/// Starts the project's next round and leads to its agreement over time.
#[server(prefix = "/fn", endpoint = "rounds/start_round")]
pub async fn start_round(
    project: ProjectId,
    after: u64,
    title: String,
    note: String,
    guidelines: String,
) -> Result<(), ApiError> {
    use crate::context::{answer, lead_to, request};

    let (services, actor) = request()?;
    let new = domain::NewRound { after, title, note, guidelines: Some(guidelines) };
    answer(services::project::rounds::start(&services, &actor, project, new).await)?;
    lead_to(&format!("/projects/{project}/time"));
    Ok(())
}
