//! Limits on agreement: who sets them, and what stands under them.

mod evaluate;
mod events;
mod judge;

use std::sync::Arc;

use domain::{
    Actor, AlertNotice, AlertRuleId, AlertsView, AuditEvent, Code, Error as Refusal, NewAlertRule,
    ProjectId, WebhookView, base::policy::Action,
};
use serde_json::json;
use store::Db;

use crate::{
    Result, Services,
    base::{
        access::{Access, permit},
        change::ProjectChange,
        names::Names,
    },
};
pub use evaluate::evaluate_due;
pub(crate) use evaluate::evaluate_regularly;

/// The most limits that a project may have: each is held against every pair.
const MOST_RULES: usize = 20;

/// Everything that a manager sees of a project's alerts.
pub async fn load(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<AlertsView> {
    let db = services.store.begin_read().await?;
    let access = permit(&db, actor, project, Action::ManageProject).await?;
    Ok(AlertsView {
        rules: store::agreement::alerts::rules(&db, project).await?,
        standing: notices(&db, project, &access).await?,
        sent_to: sent_to(&db, project).await?,
    })
}

/// The addresses of the webhooks that are told of alerts.
async fn sent_to(db: &impl Db, project: ProjectId) -> Result<Vec<String>> {
    let webhooks = store::outside::webhooks::list(db, project).await?.into_iter();
    let receives_alerts = |webhook: &WebhookView| {
        !webhook.paused && webhook.events.iter().any(|event| event.is_of_alerts())
    };
    Ok(webhooks.filter(receives_alerts).map(|webhook| webhook.url).collect())
}

/// The alerts that stand, for those who see the numbers that they are about.
pub async fn standing(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<Vec<AlertNotice>> {
    let access = permit(&services.store, actor, project, Action::ViewAgreement).await?;
    notices(&services.store, project, &access).await
}

/// The alerts that stand, with the names that the viewer may know.
pub(crate) async fn notices(
    db: &impl Db,
    project: ProjectId,
    access: &Access,
) -> Result<Vec<AlertNotice>> {
    let standing = store::agreement::alerts::standing(db, project).await?;
    if standing.is_empty() {
        return Ok(Vec::new());
    }
    let rules = store::agreement::alerts::rules(db, project).await?;
    let names = Names::load(db, project, &access.member).await?;
    let notice = |raised: store::agreement::alerts::Raised| {
        let rule = rules.iter().find(|rule| rule.id == raised.rule)?.rule;
        let pair = match raised.pair {
            None => None,
            Some((first, second)) => Some(in_order(&names, first, second)?),
        };
        Some(AlertNotice {
            rule,
            pair,
            fired_at: raised.fired_at,
            value: raised.value,
            lower: raised.lower,
            n: raised.n,
            revision: raised.revision,
        })
    };
    Ok(standing.into_iter().filter_map(|(_, raised)| notice(raised)).collect())
}

/// Two raters in the order of the matrix: labelers before reviewers.
fn in_order(
    names: &Names,
    first: domain::MemberId,
    second: domain::MemberId,
) -> Option<(domain::Rater, domain::Rater)> {
    let mut of_pair = names.raters().iter().filter(|rater| [first, second].contains(&rater.id));
    Some((of_pair.next()?.clone(), of_pair.next()?.clone()))
}

/// Sets a limit. It is held against the numbers soon after.
pub async fn add_rule(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    rule: NewAlertRule,
) -> Result<AlertRuleId> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    let rule = rule.checked()?;
    let change = ProjectChange::begin(services, access, project).await?;
    let (tx, by, at) = (&change.tx, change.access.person.id, change.at);
    if store::agreement::alerts::rules(tx, project).await?.len() >= MOST_RULES {
        return Err(Code::LimitReached.of("limit", "a project has at most 20 limits").into());
    }
    let id = store::agreement::alerts::add_rule(tx, project, &rule, by, at).await?;
    let detail = json!({ "limit": id, "rule": rule });
    change.end_unseen(AuditEvent::AddLimit, format!("project {project}"), detail).await?;
    Ok(id)
}

/// Removes a limit with the alerts that it has raised.
pub async fn remove_rule(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    rule: AlertRuleId,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    let change = ProjectChange::begin(services, access, project).await?;
    if !store::agreement::alerts::remove_rule(&change.tx, project, rule).await? {
        return Err(Refusal::NotFound.into());
    }
    let detail = json!({ "limit": rule });
    change.end(AuditEvent::RemoveLimit, format!("project {project}"), detail).await
}
