//! Webhooks: where news is sent, which news, and what became of it.

use std::collections::BTreeSet;

use axum::{
    Extension, Json,
    extract::OriginalUri,
    response::{IntoResponse, Response},
};
use chrono::{DateTime, Utc};
use domain::{
    CreatedWebhook, Delivery, DeliveryId, NewWebhook, ProjectId, Revision, WebhookChange,
    WebhookEvent, WebhookId, WebhookOutcome, WebhookView,
};
use http::StatusCode;
use serde::Serialize;
use services::outside::webhooks::Secret;
use utoipa::ToSchema;

use crate::{
    middleware::idempotency::TellsSecret,
    rest::base::{
        extract::{Ask, Body, Query, Reply},
        if_match::{IfMatch, conflict, tagged},
        pages::{ListQuery, Listed},
    },
};

/// A webhook. Its secret is not shown again.
#[derive(Serialize, ToSchema)]
pub(super) struct Webhook {
    id: WebhookId,
    url: String,
    events: BTreeSet<WebhookEvent>,
    /// While it is paused, nothing new is kept for it and nothing is sent.
    paused: bool,
    /// How often it was changed; the answer's `ETag` is the same.
    revision: Revision,
    created_at: DateTime<Utc>,
}

impl From<WebhookView> for Webhook {
    fn from(view: WebhookView) -> Self {
        let WebhookView { id, url, events, paused, revision, created_at, .. } = view;
        Self { id, url, events, paused, revision, created_at }
    }
}

/// What came of a change.
#[derive(Serialize, ToSchema)]
struct ChangedWebhook {
    /// The revision from here on; the answer's `ETag` is the same.
    revision: Revision,
    /// The new signing secret, if the address has changed. Shown only once.
    secret: Option<String>,
}

/// Something that is to be sent.
#[derive(Serialize, ToSchema)]
struct QueuedDelivery {
    delivery: DeliveryId,
}

fn queued(delivery: DeliveryId) -> Response {
    (StatusCode::ACCEPTED, Json(QueuedDelivery { delivery })).into_response()
}

/// List webhooks
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/webhooks", tag = "Webhooks",
    params(("project" = ProjectId, Path)),
    responses((status = 200, description = "All of them, 10 at most.", body = Listed<Webhook>)),
)]
pub(super) async fn list(
    Ask(services, actor, project): Ask<ProjectId>,
) -> Reply<Json<Listed<Webhook>>> {
    let webhooks = services::outside::webhooks::list(&services, &actor, project).await?;
    Ok(Json(Listed::all(webhooks.into_iter().map(Webhook::from).collect())))
}

/// Add a webhook
///
/// The answer has the signing secret, which is shown only once.
#[utoipa::path(
    post, path = "/api/v1/projects/{project}/webhooks", tag = "Webhooks",
    params(("project" = ProjectId, Path)),
    request_body(content = NewWebhook, example = json!({
        "url": "https://example.org/hook", "events": ["assignment.submitted"],
    })),
    responses((status = 201, description = "The webhook is there.", body = CreatedWebhook)),
)]
pub(super) async fn create(
    Ask(services, actor, project): Ask<ProjectId>,
    Body(new): Body<NewWebhook>,
) -> Reply {
    let made =
        services::outside::webhooks::add(&services, &actor, project, new, Secret::Told).await?;
    Ok((StatusCode::CREATED, Extension(TellsSecret), Json(made)).into_response())
}

/// Get a webhook
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/webhooks/{webhook}", tag = "Webhooks",
    params(("project" = ProjectId, Path), ("webhook" = WebhookId, Path)),
    responses((status = 200, description = "The webhook.", body = Webhook)),
)]
pub(super) async fn load(
    Ask(services, actor, (project, webhook)): Ask<(ProjectId, WebhookId)>,
) -> Reply {
    let view = services::outside::webhooks::find(&services, &actor, project, webhook).await?;
    Ok(tagged(view.revision, Webhook::from(view)))
}

/// Change a webhook
///
/// What is left out stays as it is. Another address gets a new secret, which the answer has.
#[utoipa::path(
    patch, path = "/api/v1/projects/{project}/webhooks/{webhook}", tag = "Webhooks",
    params(
        ("project" = ProjectId, Path), ("webhook" = WebhookId, Path),
        ("If-Match" = String, Header),
    ),
    request_body(content = WebhookChange, example = json!({ "paused": true })),
    responses((status = 200, description = "It is changed.", body = ChangedWebhook)),
)]
pub(super) async fn change(
    Ask(services, actor, there): Ask<(ProjectId, WebhookId)>,
    IfMatch(base): IfMatch,
    Body(change): Body<WebhookChange>,
) -> Reply {
    let (services, told) = (&services, Secret::Told);
    let outcome =
        services::outside::webhooks::change(services, &actor, there, Some(base), change, told)
            .await?;
    Ok(match outcome {
        WebhookOutcome::Changed { revision, secret } => {
            let tells = secret.is_some().then_some(Extension(TellsSecret));
            let changed = tagged(revision, ChangedWebhook { revision, secret });
            (tells, changed).into_response()
        }
        WebhookOutcome::Conflict(now) => conflict(now),
    })
}

/// Remove a webhook
///
/// With its deliveries: what waits is not sent.
#[utoipa::path(
    delete, path = "/api/v1/projects/{project}/webhooks/{webhook}", tag = "Webhooks",
    params(("project" = ProjectId, Path), ("webhook" = WebhookId, Path)),
    responses((status = 204, description = "It is gone.")),
)]
pub(super) async fn remove(
    Ask(services, actor, (project, webhook)): Ask<(ProjectId, WebhookId)>,
) -> Reply<StatusCode> {
    services::outside::webhooks::remove(&services, &actor, project, webhook).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Test a webhook
///
/// Sends it the event `test`. A paused webhook refuses.
#[utoipa::path(
    post, path = "/api/v1/projects/{project}/webhooks/{webhook}/test", tag = "Webhooks",
    params(("project" = ProjectId, Path), ("webhook" = WebhookId, Path)),
    responses((status = 202, description = "It is sent within seconds.", body = QueuedDelivery)),
)]
pub(super) async fn send_test(
    Ask(services, actor, (project, webhook)): Ask<(ProjectId, WebhookId)>,
) -> Reply {
    let sent = services::outside::webhooks::send_test(&services, &actor, project, webhook).await?;
    Ok(queued(sent))
}

/// List deliveries
///
/// What was or is to be sent to a webhook, the latest first. Of those that are finished, the latest 50
/// are kept.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/webhooks/{webhook}/deliveries", tag = "Webhooks",
    params(("project" = ProjectId, Path), ("webhook" = WebhookId, Path), ListQuery),
    responses((
        status = 200, description = "A page of deliveries.", body = Listed<Delivery>,
        headers(("Link" = String, description = "Where the next page is.")),
    )),
)]
pub(super) async fn list_deliveries(
    Ask(services, actor, there): Ask<(ProjectId, WebhookId)>,
    Query(query): Query<ListQuery>,
    OriginalUri(asked): OriginalUri,
) -> Reply {
    let (after, limit) = (DeliveryId(query.after()?), query.limit()?);
    let deliveries =
        services::outside::webhooks::deliveries(&services, &actor, there, after, limit).await?;
    Ok(Listed::page(deliveries, limit, |delivery| delivery.id.0).answer(&asked))
}

/// Send a delivery again
///
/// As a delivery of its own, with the same body. A paused webhook refuses.
#[utoipa::path(
    post,
    path = "/api/v1/projects/{project}/webhooks/{webhook}/deliveries/{delivery}/redeliver",
    tag = "Webhooks",
    params(
        ("project" = ProjectId, Path), ("webhook" = WebhookId, Path),
        ("delivery" = DeliveryId, Path),
    ),
    responses((status = 202, description = "It is sent within seconds.", body = QueuedDelivery)),
)]
pub(super) async fn redeliver(
    Ask(services, actor, (project, webhook, delivery)): Ask<(ProjectId, WebhookId, DeliveryId)>,
) -> Reply {
    let there = (project, webhook);
    let sent = services::outside::webhooks::send_again(&services, &actor, there, delivery).await?;
    Ok(queued(sent))
}
