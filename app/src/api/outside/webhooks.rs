//! Server functions for webhooks.

use domain::{DeliveryId, ProjectId, WebhookEvent, WebhookId};
use leptos::prelude::*;

use crate::ApiError;

/// Has some events sent to an address.
#[server(prefix = "/fn", endpoint = "webhooks/add")]
pub async fn add_webhook(
    project: ProjectId,
    url: String,
    #[server(default)] events: Vec<WebhookEvent>,
) -> Result<(), ApiError> {
    use crate::context::{answer, lead_to, request};
    use services::outside::webhooks::Secret;

    let (services, actor) = request()?;
    let new = domain::NewWebhook { url, events: events.into_iter().collect() };
    let shown = Secret::UntilCopied;
    let made =
        answer(services::outside::webhooks::add(&services, &actor, project, new, shown).await)?;
    lead_to(&format!("/projects/{project}/settings/webhooks?webhook={}", made.id));
    Ok(())
}

/// Changes address and events of a webhook.
#[server(prefix = "/fn", endpoint = "webhooks/change")]
pub async fn change_webhook(
    project: ProjectId,
    webhook: WebhookId,
    url: String,
    #[server(default)] events: Vec<WebhookEvent>,
) -> Result<(), ApiError> {
    use services::outside::webhooks::Secret;

    let (services, actor) = crate::context::request()?;
    let events = events.into_iter().collect();
    let wish = domain::WebhookChange { url: Some(url), events: Some(events), paused: None };
    let (there, shown) = ((project, webhook), Secret::UntilCopied);
    let changed = services::outside::webhooks::change(&services, &actor, there, None, wish, shown);
    let done = changed.await;
    crate::context::answer_at(
        done,
        &format!("/projects/{project}/settings/webhooks?webhook={webhook}"),
    )
}

/// Sends nothing to a webhook for a while, or goes on.
#[server(prefix = "/fn", endpoint = "webhooks/pause")]
pub async fn pause_webhook(
    project: ProjectId,
    webhook: WebhookId,
    pause: bool,
) -> Result<(), ApiError> {
    use services::outside::webhooks::Secret;

    let (services, actor) = crate::context::request()?;
    let wish = domain::WebhookChange { paused: Some(pause), ..Default::default() };
    let (there, shown) = ((project, webhook), Secret::UntilCopied);
    let changed = services::outside::webhooks::change(&services, &actor, there, None, wish, shown);
    let done = changed.await;
    crate::context::answer_at(
        done,
        &format!("/projects/{project}/settings/webhooks?webhook={webhook}"),
    )
}

/// Never shows a webhook's secret again.
#[server(prefix = "/fn", endpoint = "webhooks/hide_secret")]
pub async fn hide_webhook_secret(project: ProjectId, webhook: WebhookId) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let done = services::outside::webhooks::hide_secret(&services, &actor, project, webhook).await;
    crate::context::answer_at(
        done,
        &format!("/projects/{project}/settings/webhooks?webhook={webhook}"),
    )
}

/// Sends something to a webhook that says nothing.
#[server(prefix = "/fn", endpoint = "webhooks/send_test")]
pub async fn send_test(project: ProjectId, webhook: WebhookId) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let done = services::outside::webhooks::send_test(&services, &actor, project, webhook).await;
    crate::context::answer_at(
        done,
        &format!("/projects/{project}/settings/webhooks?webhook={webhook}"),
    )
}

/// Sends the same once more.
#[server(prefix = "/fn", endpoint = "webhooks/send_again")]
pub async fn send_again(
    project: ProjectId,
    webhook: WebhookId,
    delivery: DeliveryId,
) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let there = (project, webhook);
    let done = services::outside::webhooks::send_again(&services, &actor, there, delivery).await;
    crate::context::answer_at(
        done,
        &format!("/projects/{project}/settings/webhooks?webhook={webhook}"),
    )
}

/// Removes a webhook with what waits for it.
#[server(prefix = "/fn", endpoint = "webhooks/remove")]
pub async fn remove_webhook(project: ProjectId, webhook: WebhookId) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let done = services::outside::webhooks::remove(&services, &actor, project, webhook).await;
    crate::context::answer_at(done, &format!("/projects/{project}/settings/webhooks"))
}
