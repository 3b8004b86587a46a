//! Limits on agreement: who sets them, what stands under them, and where alerts are sent.

mod deliver;
mod evaluate;
mod judge;
mod message;

use std::sync::Arc;

use domain::{
    Actor, AlertNotice, AlertRuleId, AlertsView, Error as Refusal, NewAlertRule, ProjectId,
    policy::Action,
};
use serde_json::json;
use store::{Db, Tx, audit::Audit};

use crate::{
    Result, Services,
    access::{Access, permit},
    accounts::token,
    names::Names,
};
pub use deliver::deliver_due;
pub(crate) use deliver::{Client, deliver_regularly};
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
        rules: store::alerts::rules(&db, project).await?,
        standing: notices(&db, project, &access).await?,
        webhook: store::webhooks::find(&db, project).await?,
        deliveries: store::webhooks::deliveries(&db, project).await?,
    })
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
    let standing = store::alerts::standing(db, project).await?;
    if standing.is_empty() {
        return Ok(Vec::new());
    }
    let rules = store::alerts::rules(db, project).await?;
    let names = Names::load(db, project, &access.member).await?;
    let notice = |raised: store::alerts::Raised| {
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
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    if store::alerts::rules(&tx, project).await?.len() >= MOST_RULES {
        return Err(Refusal::invalid("limit", "a project has at most 20 limits").into());
    }
    let id = store::alerts::add_rule(&tx, project, &rule, access.person.id, now).await?;
    record(services, &tx, &access, project, "add limit", json!({ "limit": id, "rule": rule }))
        .await?;
    tx.commit().await?;
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
    let tx = services.store.begin().await?;
    if !store::alerts::remove_rule(&tx, project, rule).await? {
        return Err(Refusal::NotFound.into());
    }
    record(services, &tx, &access, project, "remove limit", json!({ "limit": rule })).await?;
    tx.commit().await?;
    services.live.nudge(project);
    Ok(())
}

/// Has alerts sent to an address, signed with a new secret.
pub async fn save_webhook(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    url: String,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    let url = message::checked_url(&url)?;
    let (secret, now) = (token::generate(), services.clock.now());
    let tx = services.store.begin().await?;
    store::webhooks::save(&tx, project, &url, &secret, access.person.id, now).await?;
    record(services, &tx, &access, project, "save webhook", json!({ "url": url })).await?;
    Ok(tx.commit().await?)
}

/// Never shows the webhook's secret again.
pub async fn hide_secret(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<()> {
    permit(&services.store, actor, project, Action::ManageProject).await?;
    let tx = services.store.begin().await?;
    if !store::webhooks::hide_secret(&tx, project).await? {
        return Err(Refusal::NotFound.into());
    }
    Ok(tx.commit().await?)
}

/// Has alerts sent nowhere.
pub async fn remove_webhook(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    let tx = services.store.begin().await?;
    if !store::webhooks::remove(&tx, project).await? {
        return Err(Refusal::NotFound.into());
    }
    record(services, &tx, &access, project, "remove webhook", json!({})).await?;
    Ok(tx.commit().await?)
}

/// Sends something to the webhook that is no alert, to see whether it arrives.
pub async fn try_webhook(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<()> {
    permit(&services.store, actor, project, Action::ManageProject).await?;
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    if store::webhooks::find(&tx, project).await?.is_none() {
        return Err(Refusal::NotFound.into());
    }
    let found = store::projects::find(&tx, project).await?.ok_or(Refusal::NotFound)?;
    let body = message::test(project, &found.settings.name, now)?;
    store::webhooks::enqueue(&tx, project, message::TEST, &body, now).await?;
    Ok(tx.commit().await?)
}

async fn record(
    services: &Services,
    tx: &Tx,
    access: &Access,
    project: ProjectId,
    action: &'static str,
    detail: serde_json::Value,
) -> Result<()> {
    let audit = Audit {
        project: Some(project),
        user: Some(access.person.id),
        at: services.clock.now(),
        action,
        subject: format!("project {project}"),
        detail,
        // The numbers stay what they are.
        revision: None,
    };
    Ok(store::audit::append(tx, audit).await?)
}
