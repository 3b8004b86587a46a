//! A project's target: what was agreed on as good enough; and what its headlines are values of, which are
//! held against it.

use std::sync::Arc;

use domain::{
    Actor, AuditEvent, Documents, Filter, Measure, PolicyChoice, ProjectId, ScaleChoice, Switches,
    Target, base::policy::Action,
};
use serde_json::json;

use crate::{
    Result, Services,
    base::{access::permit, change::ProjectChange},
};

/// What the headlines are values of.
const MEASURE: Measure = Measure::Alpha;

/// Under which everything but the first headline is counted: what only one marked is disagreement,
/// too.
pub const SWITCHES: Switches = Switches {
    measure: MEASURE,
    policy: PolicyChoice::EmptyLabel,
    documents: Documents::Submitted,
    scale: ScaleChoice::LandisKoch,
    filter: Filter::NONE,
};

/// The switches of a headline: those of the matrix, which it leads to.
pub fn headline_switches(policy: PolicyChoice) -> Switches {
    Switches { measure: MEASURE, policy, ..Switches::default() }
}

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
