//! Webhooks: where news is sent, which news, and what became of it.

use std::{collections::BTreeSet, sync::Arc};

use axum::{
    Extension, Json,
    extract::{OriginalUri, State},
    response::{IntoResponse, Response},
};
use chrono::{DateTime, Utc};
use domain::{
    Actor, CreatedWebhook, Delivery, DeliveryId, NewWebhook, ProjectId, Revision, WebhookChange,
    WebhookEvent, WebhookId, WebhookOutcome, WebhookView,
};
use http::StatusCode;
use serde::Serialize;
use services::outside::webhooks::Secret;
use utoipa::ToSchema;

use crate::{
    Site,
    middleware::idempotency::TellsSecret,
    problem::Problem,
    rest::base::{
        extract::{Body, Path, Query},
        if_match::{IfMatch, conflict, tagged},
        pages::{ListQuery, Listed},
    },
};

/// A webhook. Its secret is never told again.
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
    /// What deliveries are signed with from now on, if the address is another. It is told this once.
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
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
) -> Result<Json<Listed<Webhook>>, Problem> {
    let webhooks = services::outside::webhooks::list(&site.services, &actor, project).await?;
    Ok(Json(Listed::all(webhooks.into_iter().map(Webhook::from).collect())))
}

/// Add a webhook
///
/// The answer has the secret that deliveries are signed with: it is told this once.
#[utoipa::path(
    post, path = "/api/v1/projects/{project}/webhooks", tag = "Webhooks",
    params(("project" = ProjectId, Path)),
    request_body(content = NewWebhook, example = json!({
        "url": "https://example.org/hook", "events": ["assignment.submitted"],
    })),
    responses((status = 201, description = "The webhook is there.", body = CreatedWebhook)),
)]
pub(super) async fn create(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Body(new): Body<NewWebhook>,
) -> Result<Response, Problem> {
    let made = services::outside::webhooks::add(&site.services, &actor, project, new, Secret::Told)
        .await?;
    Ok((StatusCode::CREATED, Extension(TellsSecret), Json(made)).into_response())
}

/// Get a webhook
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/webhooks/{webhook}", tag = "Webhooks",
    params(("project" = ProjectId, Path), ("webhook" = WebhookId, Path)),
    responses((status = 200, description = "The webhook.", body = Webhook)),
)]
pub(super) async fn load(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path((project, webhook)): Path<(ProjectId, WebhookId)>,
) -> Result<Response, Problem> {
    let view = services::outside::webhooks::find(&site.services, &actor, project, webhook).await?;
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
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(there): Path<(ProjectId, WebhookId)>,
    IfMatch(base): IfMatch,
    Body(change): Body<WebhookChange>,
) -> Result<Response, Problem> {
    let (services, told) = (&site.services, Secret::Told);
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
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path((project, webhook)): Path<(ProjectId, WebhookId)>,
) -> Result<StatusCode, Problem> {
    services::outside::webhooks::remove(&site.services, &actor, project, webhook).await?;
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
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path((project, webhook)): Path<(ProjectId, WebhookId)>,
) -> Result<Response, Problem> {
    let sent =
        services::outside::webhooks::send_test(&site.services, &actor, project, webhook).await?;
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
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(there): Path<(ProjectId, WebhookId)>,
    Query(query): Query<ListQuery>,
    OriginalUri(asked): OriginalUri,
) -> Result<Response, Problem> {
    let (after, limit) = (DeliveryId(query.after()?), query.limit()?);
    let deliveries =
        services::outside::webhooks::deliveries(&site.services, &actor, there, after, limit)
            .await?;
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
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path((project, webhook, delivery)): Path<(ProjectId, WebhookId, DeliveryId)>,
) -> Result<Response, Problem> {
    let there = (project, webhook);
    let sent =
        services::outside::webhooks::send_again(&site.services, &actor, there, delivery).await?;
    Ok(queued(sent))
}
