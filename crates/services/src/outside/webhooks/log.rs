//! What was sent to a webhook: to be read, sent again, and tried.

use std::sync::Arc;

use domain::{
    Actor, Code, Delivery, DeliveryId, Error as Refusal, ProjectId, WebhookEvent, WebhookId,
    WebhookView, base::policy::Action,
};
use store::Tx;

use crate::{
    Result, Services,
    base::{
        access::permit,
        change::events::{Event, about},
    },
};

/// A webhook's deliveries, the latest first, from after this one on; from the latest after 0.
pub async fn deliveries(
    services: &Arc<Services>,
    actor: &Actor,
    (project, id): (ProjectId, WebhookId),
    after: DeliveryId,
    limit: u16,
) -> Result<Vec<Delivery>> {
    permit(&services.store, actor, project, Action::ManageProject).await?;
    let db = services.store.begin_read().await?;
    store::outside::webhooks::find(&db, project, id).await?.ok_or(Refusal::NotFound)?;
    Ok(store::outside::deliveries::list(&db, id, after, limit).await?)
}

/// Sends something that says nothing, to see whether it arrives.
pub async fn send_test(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    id: WebhookId,
) -> Result<DeliveryId> {
    permit(&services.store, actor, project, Action::ManageProject).await?;
    let at = services.clock.now();
    let tx = services.store.begin().await?;
    store::project::removal::refuse_archived(&tx, project).await?;
    find_active(&tx, project, id).await?;
    let found = store::project::find(&tx, project).await?.ok_or(Refusal::NotFound)?;
    let path = format!("/projects/{project}/settings/webhooks?webhook={id}");
    let kind = WebhookEvent::Test;
    let event = Event { kind, at, project, about: about([]), path };
    let body = event.body(&found.settings.name)?;
    let delivery = store::outside::deliveries::enqueue_one(&tx, id, kind, &body, at).await?;
    tx.commit().await?;
    Ok(delivery)
}

/// Sends the body of a delivery once more, as a delivery of its own.
pub async fn send_again(
    services: &Arc<Services>,
    actor: &Actor,
    (project, id): (ProjectId, WebhookId),
    delivery: DeliveryId,
) -> Result<DeliveryId> {
    permit(&services.store, actor, project, Action::ManageProject).await?;
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    store::project::removal::refuse_archived(&tx, project).await?;
    find_active(&tx, project, id).await?;
    let sent =
        store::outside::deliveries::find(&tx, id, delivery).await?.ok_or(Refusal::NotFound)?;
    let again =
        store::outside::deliveries::enqueue_one(&tx, id, sent.event, &sent.body, now).await?;
    tx.commit().await?;
    Ok(again)
}

/// The webhook, if something can be sent to it now.
async fn find_active(tx: &Tx, project: ProjectId, id: WebhookId) -> Result<WebhookView> {
    let found = store::outside::webhooks::find(tx, project, id).await?.ok_or(Refusal::NotFound)?;
    if found.paused {
        let why = "this webhook is paused; resume it first";
        return Err(Code::Paused.of("webhook", why).into());
    }
    Ok(found)
}
