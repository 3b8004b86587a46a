//! Server functions for the gold standard.

use domain::ProjectId;
use leptos::prelude::*;

use crate::ApiError;

/// Locks what is gold now as a version, and leads to the list of versions.
#[server(prefix = "/fn", endpoint = "gold/lock")]
pub async fn lock_gold(project: ProjectId, name: String, note: String) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let new = domain::NewGoldVersion { name, note };
    let done = services::review::gold::lock(&services, &actor, project, new).await;
    crate::context::answer_at(done, &format!("/projects/{project}/review/gold#versions"))
}
