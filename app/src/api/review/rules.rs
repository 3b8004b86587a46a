//! Server functions for accepting by rule; each leads back to the rule's page.

use domain::{ActId, LabelId, ProjectId};
use leptos::prelude::*;

use crate::ApiError;

/// Accepts what was previewed.
#[server(prefix = "/fn", endpoint = "rules/accept")]
pub async fn accept_by_rule(
    project: ProjectId,
    at_least: Option<u32>,
    label: Option<LabelId>,
    seen: String,
) -> Result<(), ApiError> {
    use crate::{
        context::{answer, lead_to, request},
        query::rule_address,
    };

    let (services, actor) = request()?;
    let rule = domain::AcceptRule { at_least, label };
    let act = answer(services::review::accept(&services, &actor, project, rule, seen).await)?;
    lead_to(&rule_address(project, rule, 0, act));
    Ok(())
}

/// Undoes what was accepted at once.
#[server(prefix = "/fn", endpoint = "rules/undo")]
pub async fn undo_rule(
    project: ProjectId,
    at_least: Option<u32>,
    label: Option<LabelId>,
    act: ActId,
) -> Result<(), ApiError> {
    use crate::{
        context::{answer, lead_to, request},
        query::rule_address,
    };

    let (services, actor) = request()?;
    let undone = answer(services::review::walk::undo(&services, &actor, project, act).await)?;
    lead_to(&rule_address(project, domain::AcceptRule { at_least, label }, 0, Some(undone.act)));
    Ok(())
}
