//! What a project offers its labelers as suggestions.

use std::sync::Arc;

use domain::{Actor, AuditEvent, ProjectId, SuggestionSettings, base::policy::Action};
use serde_json::json;

use crate::{
    Result, Services,
    base::{access::permit, change::ProjectChange},
};

/// Changes what is offered, from the next time that an assignment is opened.
pub async fn save_suggestions(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    settings: SuggestionSettings,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    let change = ProjectChange::begin(services, access, project).await?.counted().await?;
    store::work::suggestions::save_settings(&change.tx, project, settings).await?;
    change.end(AuditEvent::SaveSuggestions, format!("project {project}"), json!(settings)).await
}
