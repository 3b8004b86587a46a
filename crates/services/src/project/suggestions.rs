//! What a project offers its labelers as suggestions.

use std::sync::Arc;

use domain::{Actor, AuditEvent, ProjectId, SuggestionSettings, base::policy::Action};
use serde_json::json;

use super::{Changed, record};
use crate::{Result, Services, base::access::permit};

/// Changes what is offered, from the next time that a copy is opened.
pub async fn save_suggestions(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    settings: SuggestionSettings,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    let tx = services.store.begin().await?;
    let revision = store::project::advance(&tx, project).await?;
    store::work::suggestions::save_settings(&tx, project, settings).await?;
    let detail = json!(settings);
    let subject = format!("project {project}");
    let change = Changed { event: AuditEvent::SaveSuggestions, subject, detail };
    record(&tx, &access, project, services.clock.now(), revision, change).await?;
    tx.commit().await?;
    services.live.invalidate(project);
    Ok(())
}
