//! A project's target: what was agreed on as good enough.

use std::sync::Arc;

use domain::{Actor, AuditEvent, ProjectId, Target, base::policy::Action};
use serde_json::json;

use crate::{
    Result, Services,
    base::{access::permit, change::ProjectChange},
};

/// The project's target, for those who see the numbers that it is held against; none where there is none.
pub async fn load(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<Option<Target>> {
    permit(&services.store, actor, project, Action::ViewAgreement).await?;
    Ok(store::agreement::target::find(&services.store, project).await?)
}

/// Gives the project another target, or none.
pub async fn set(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    target: Option<Target>,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    let target = target.map(Target::checked).transpose()?;
    let change = ProjectChange::begin(services, access, project).await?;
    store::agreement::target::set(&change.tx, project, target).await?;
    let detail = json!({ "target": target });
    change.end(AuditEvent::SaveTarget, format!("project {project}"), detail).await
}
