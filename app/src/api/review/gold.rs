//! Server functions for the gold standard.

use domain::ProjectId;
use leptos::prelude::*;

use crate::ApiError;

/// Locks what is gold now as a version, and leads to the list of versions.
#[server(prefix = "/fn", endpoint = "gold/lock")]
pub async fn lock_gold(project: ProjectId, name: String, note: String) -> Result<(), ApiError> {
    use crate::context::{answer, lead_to, request};

    let (services, actor) = request()?;
    let new = domain::NewGoldVersion { name, note };
    answer(services::review::gold::lock(&services, &actor, project, new).await)?;
    lead_to(&format!("/projects/{project}/gold#versions"));
    Ok(())
}
