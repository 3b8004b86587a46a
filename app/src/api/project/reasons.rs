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
    use crate::context::{answer, lead_to, request};

    let (services, actor) = request()?;
    answer(services::project::reasons::save(&services, &actor, project, &reasons).await)?;
    lead_to(&format!("/projects/{project}/settings#reasons"));
    Ok(())
}
