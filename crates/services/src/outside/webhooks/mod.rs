//! Webhooks: where a project's news is sent, who says so, and how what happens comes to be sent.

mod client;
mod deliver;
mod destinations;
mod log;
mod message;
mod queue;
mod secrets;

use std::{collections::BTreeSet, sync::Arc};

use domain::{
    Actor, AuditEvent, Code, CreatedWebhook, Error as Refusal, NewWebhook, ProjectId, Revision,
    WebhookChange, WebhookId, WebhookOutcome, WebhookView, WebhooksView, base::policy::Action,
    check_events,
};
use serde_json::json;
use store::outside::webhooks::{Changed, NewWebhook as Kept};

use crate::{
    Result, Services,
    base::{access::permit, change::ProjectChange, secrets::token},
};
pub(crate) use client::Client;
pub use destinations::{Allowed, Destinations};
pub use log::{deliveries, send_again, send_test};
pub use queue::deliver_due;
pub(crate) use queue::deliver_regularly;
pub use secrets::seal_old;

/// The most webhooks that a project may have.
const MOST: usize = 10;

/// The deliveries that the page shows.
const SHOWN: u16 = 50;

/// Everything on the page of a project's webhooks; the first one is looked at if none is chosen.
pub async fn load(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    chosen: Option<WebhookId>,
) -> Result<WebhooksView> {
    let db = services.store.begin_read().await?;
    permit(&db, actor, project, Action::ManageProject).await?;
    let webhooks = opened(services, project, store::outside::webhooks::list(&db, project).await?);
    let chosen = match chosen {
        None => webhooks.first(),
        Some(id) => Some(webhooks.iter().find(|it| it.id == id).ok_or(Refusal::NotFound)?),
    };
    let chosen = match chosen {
        None => None,
        Some(WebhookView { id, .. }) => {
            let latest = domain::DeliveryId::default();
            Some((*id, store::outside::deliveries::list(&db, *id, latest, SHOWN).await?))
        }
    };
    Ok(WebhooksView { webhooks, chosen })
}

/// A project's webhooks.
pub async fn list(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<Vec<WebhookView>> {
    permit(&services.store, actor, project, Action::ManageProject).await?;
    Ok(opened(services, project, store::outside::webhooks::list(&services.store, project).await?))
}

/// Webhooks with their secrets, as far as those may be shown.
fn opened(services: &Services, project: ProjectId, sealed: Vec<WebhookView>) -> Vec<WebhookView> {
    sealed.into_iter().map(|it| secrets::opened(&services.key, project, it)).collect()
}

/// One of a project's webhooks.
pub async fn find(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    id: WebhookId,
) -> Result<WebhookView> {
    permit(&services.store, actor, project, Action::ManageProject).await?;
    let found = store::outside::webhooks::find(&services.store, project, id).await?;
    Ok(secrets::opened(&services.key, project, found.ok_or(Refusal::NotFound)?))
}

/// How long a secret is shown on the page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Secret {
    /// Until somebody says that it is copied.
    UntilCopied,
    /// Not at all: whoever makes the webhook has it in the answer.
    Told,
}

/// Adds a webhook to a project, with a secret of its own.
pub async fn add(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    new: NewWebhook,
    shown: Secret,
) -> Result<CreatedWebhook> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    let url = message::checked_url(&new.url, &services.webhooks.destinations)?;
    check_events(&new.events)?;
    let secret = token::generate();
    let sealed = secrets::seal(&services.key, project, &url, &secret)?;
    let change = ProjectChange::begin(services, access, project).await?;
    let kept = Kept {
        url: &url,
        secret: &sealed,
        secret_hidden: shown == Secret::Told,
        events: &new.events,
        by: change.access.person.id,
        at: change.at,
    };
    if store::outside::webhooks::list(&change.tx, project).await?.len() >= MOST {
        return Err(Code::LimitReached.of("url", "a project has at most 10 webhooks").into());
    }
    let id = store::outside::webhooks::insert(&change.tx, project, kept).await?;
    let detail = json!({ "webhook": id, "url": url, "events": new.events });
    change.end_unseen(AuditEvent::AddWebhook, format!("project {project}"), detail).await?;
    Ok(CreatedWebhook { id, secret })
}

/// Changes a webhook that is still at `base`, or wherever it is. Another address gets a new secret:
/// whoever reads the one must not be able to speak to the other.
pub async fn change(
    services: &Arc<Services>,
    actor: &Actor,
    (project, id): (ProjectId, WebhookId),
    base: Option<Revision>,
    wanted: WebhookChange,
    shown: Secret,
) -> Result<WebhookOutcome> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    let destinations = &services.webhooks.destinations;
    let checked = |url| message::checked_url(url, destinations);
    let url = wanted.url.as_deref().map(checked).transpose()?;
    wanted.events.as_ref().map_or(Ok(()), check_events)?;
    let change = ProjectChange::begin(services, access, project).await?;
    let known =
        store::outside::webhooks::find(&change.tx, project, id).await?.ok_or(Refusal::NotFound)?;
    if base.is_some_and(|base| base != known.revision) {
        return Ok(WebhookOutcome::Conflict(known.revision));
    }
    let url = url.unwrap_or_else(|| known.url.clone());
    let events: BTreeSet<_> = wanted.events.unwrap_or_else(|| known.events.clone());
    let paused = wanted.paused.unwrap_or(known.paused);
    let secret = (url != known.url).then(token::generate);
    let seal = |secret| secrets::seal(&services.key, project, &url, secret);
    let sealed = secret.as_deref().map(seal).transpose()?;
    let changed = Changed {
        url: &url,
        events: &events,
        paused,
        secret: sealed.as_deref().map(|sealed| (sealed, shown == Secret::Told)),
    };
    if !store::outside::webhooks::save(&change.tx, id, known.revision, changed).await? {
        // Somebody else was quicker.
        return Ok(WebhookOutcome::Conflict(known.revision.next()));
    }
    let detail = json!({ "webhook": id, "url": url, "events": events, "paused": paused });
    change.end_unseen(AuditEvent::ChangeWebhook, format!("project {project}"), detail).await?;
    Ok(WebhookOutcome::Changed { revision: known.revision.next(), secret })
}

/// Never shows a webhook's secret again.
pub async fn hide_secret(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    id: WebhookId,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    let change = ProjectChange::begin(services, access, project).await?;
    store::project::removal::refuse_archived(&change.tx, project).await?;
    if !store::outside::webhooks::hide_secret(&change.tx, project, id).await? {
        return Err(Refusal::NotFound.into());
    }
    let detail = json!({ "webhook": id });
    change.end_unseen(AuditEvent::HideWebhookSecret, format!("project {project}"), detail).await
}

/// Removes a webhook, with what waits for it.
pub async fn remove(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    id: WebhookId,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    let change = ProjectChange::begin(services, access, project).await?;
    if !store::outside::webhooks::remove(&change.tx, project, id).await? {
        return Err(Refusal::NotFound.into());
    }
    let detail = json!({ "webhook": id });
    change.end_unseen(AuditEvent::RemoveWebhook, format!("project {project}"), detail).await
}
