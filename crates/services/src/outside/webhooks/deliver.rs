//! Sends one thing that is queued for a webhook, again and again until it arrives or is given up.

use std::{sync::Arc, time::Instant};

use chrono::{DateTime, TimeDelta, Utc};
use domain::AuditEvent;
use serde_json::json;
use store::{
    Tx,
    outside::{
        audit::Audit,
        deliveries::{Due, Tried},
    },
};

use super::{message::signature, secrets};
use crate::{Result, Services, outside::tries::next_try};

/// How long to wait after the beginning of each failed try but the last one: five tries within about half
/// an hour.
const BACK_OFF: [TimeDelta; 4] =
    [TimeDelta::seconds(10), TimeDelta::minutes(1), TimeDelta::minutes(5), TimeDelta::minutes(25)];

/// All that a manager is told of a try that failed, whatever it failed of: whoever may choose an address
/// must not learn from it what is there. The log of the server says more.
pub(super) const NOT_DELIVERED: &str = "not delivered";

/// What a manager is told where the server's key is another than the one of the webhook's secret.
const SECRET_LOST: &str = "its secret is lost; change its address, or create it again";

/// Sends what was claimed, and notes what came of it.
pub(super) async fn deliver(services: Arc<Services>, due: Due) {
    if let Err(error) = try_once(&services, due).await {
        tracing::warn!(%error, "a delivery could not be noted");
    }
}

async fn try_once(services: &Services, due: Due) -> Result<()> {
    let (begun, since) = (services.clock.now(), Instant::now());
    let sent = send(services, &due, begun.timestamp()).await?;
    let outcome = if sent.is_ok() { "delivered" } else { "failed" };
    metrics::histogram!("concord_webhook_delivery_seconds", "outcome" => outcome)
        .record(since.elapsed());
    let tried = match sent {
        Ok(status) => {
            let at = Some(services.clock.now());
            Tried { delivered_at: at, next_at: None, status: Some(status), problem: None }
        }
        Err(problem) => {
            // Nor does it show how long nobody answered.
            let next_at = next_try(begun, due.attempts, &BACK_OFF);
            Tried { delivered_at: None, next_at, status: None, problem: Some(problem.to_owned()) }
        }
    };
    let tx = services.store.begin().await?;
    store::outside::deliveries::finish(&tx, due.id, &tried).await?;
    // A secret that could not be opened was not used.
    if tried.problem.as_deref() != Some(SECRET_LOST) {
        note_use(&tx, &due, begun).await?;
    }
    if tried.next_at.is_none() {
        store::outside::deliveries::forget_old(&tx, due.webhook).await?;
    }
    Ok(tx.commit().await?)
}

/// Notes the first use of a webhook's secret on a day.
async fn note_use(tx: &Tx, due: &Due, at: DateTime<Utc>) -> Result<()> {
    if store::outside::webhooks::use_secret(tx, due.webhook, at.date_naive()).await? {
        let used = Audit {
            project: Some(due.project),
            user: None,
            at,
            event: AuditEvent::UseWebhookSecret,
            subject: format!("webhook {}", due.webhook),
            detail: json!({}),
            revision: None,
        };
        store::outside::audit::append(tx, used).await?;
    }
    Ok(())
}

/// Sends once: the status with which it was taken, or what a manager is told.
async fn send(services: &Services, due: &Due, time: i64) -> Result<Result<u16, &'static str>> {
    let (delivery, project) = (due.id, due.project);
    let Ok(secret) = secrets::open(&services.key, due) else {
        tracing::error!(%delivery, %project, "a webhook's secret was sealed with another key");
        return Ok(Err(SECRET_LOST));
    };
    let signature = signature(&secret, time, &due.body)?;
    let problem = match services.webhooks.send(due, time, signature).await {
        Ok(status) if (200..300).contains(&status) => return Ok(Ok(status)),
        Ok(status) => format!("it was answered {status}"),
        Err(problem) => problem,
    };
    tracing::warn!(%delivery, %project, webhook = %due.webhook, problem, "a delivery failed");
    Ok(Err(NOT_DELIVERED))
}
