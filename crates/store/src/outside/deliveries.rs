//! What was or is to be sent to webhooks.

use chrono::{DateTime, Utc};
use domain::{Delivery, DeliveryId, ProjectId, WebhookEvent, WebhookId};
use sea_orm::{ActiveValue::Set, EntityTrait, FromQueryResult, Value};

use crate::{
    Db, Error, Tx,
    base::{db::Connected, sql},
    entity::webhook_delivery::{self, Entity},
};

/// How many finished deliveries of a webhook are kept, and how many of the others go at a time.
const KEPT: i64 = 50;
const FORGOTTEN: i64 = 100;

/// Queues the same for some webhooks, to be sent at once.
pub async fn enqueue(
    tx: &Tx,
    webhooks: &[WebhookId],
    event: WebhookEvent,
    body: &str,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    if webhooks.is_empty() {
        return Ok(());
    }
    let rows = webhooks.iter().map(|webhook| queued(*webhook, event, body, now));
    Entity::insert_many(rows).exec_without_returning(tx.connection()).await?;
    Ok(())
}

/// Queues something for one webhook, to be sent at once.
pub async fn enqueue_one(
    tx: &Tx,
    webhook: WebhookId,
    event: WebhookEvent,
    body: &str,
    now: DateTime<Utc>,
) -> Result<DeliveryId, Error> {
    let row = queued(webhook, event, body, now);
    let inserted = Entity::insert(row).exec(tx.connection()).await?;
    Ok(DeliveryId(inserted.last_insert_id))
}

fn queued(
    webhook: WebhookId,
    event: WebhookEvent,
    body: &str,
    now: DateTime<Utc>,
) -> webhook_delivery::ActiveModel {
    webhook_delivery::ActiveModel {
        webhook_id: Set(webhook.0),
        event: Set(event.name().to_owned()),
        body: Set(body.to_owned()),
        created_at: Set(now),
        next_at: Set(Some(now)),
        ..Default::default()
    }
}

/// A webhook's deliveries, the latest first, from after this one on; from the latest after 0.
pub async fn list(
    db: &impl Db,
    webhook: WebhookId,
    after: DeliveryId,
    limit: u16,
) -> Result<Vec<Delivery>, Error> {
    let before = if after.0 == 0 { i64::MAX } else { after.0 };
    let rows = sql::rows::<webhook_delivery::Model, _>(
        db,
        "SELECT * FROM webhook_delivery WHERE webhook_id = $1 AND id < $2
         ORDER BY id DESC LIMIT $3",
        [webhook.0.into(), before.into(), i64::from(limit).into()],
    )
    .await?;
    rows.into_iter().map(viewed).collect()
}

/// One of a webhook's deliveries.
pub async fn find(
    db: &impl Db,
    webhook: WebhookId,
    id: DeliveryId,
) -> Result<Option<Delivery>, Error> {
    let row = sql::row::<webhook_delivery::Model, _>(
        db,
        "SELECT * FROM webhook_delivery WHERE webhook_id = $1 AND id = $2",
        [webhook.0.into(), id.0.into()],
    )
    .await?;
    row.map(viewed).transpose()
}

fn viewed(row: webhook_delivery::Model) -> Result<Delivery, Error> {
    Ok(Delivery {
        id: DeliveryId(row.id),
        event: sql::word(&row.event)?,
        body: row.body,
        created_at: row.created_at,
        attempts: sql::number(row.attempts.into())?,
        next_at: row.next_at,
        delivered_at: row.delivered_at,
        status: row.status.map(|status| sql::number(status.into())).transpose()?,
        problem: row.problem,
    })
}

/// Something to send now, and where to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    pub id: DeliveryId,
    pub project: ProjectId,
    pub webhook: WebhookId,
    pub event: String,
    pub body: String,
    /// How often it was tried before.
    pub attempts: u32,
    pub url: String,
    /// As it is stored.
    pub secret: String,
    /// Its place among what is due of its project, from 1 on.
    pub place: usize,
}

#[derive(FromQueryResult)]
struct DueRow {
    id: i64,
    project_id: i64,
    webhook_id: i64,
    event: String,
    body: String,
    attempts: i32,
    url: String,
    secret: String,
    place: i64,
}

/// What is to be sent by now: so many of each project at most, and so many in all, the first of each
/// project before the second of any. Of a project, what failed before comes last, so that an address where
/// nobody answers holds up the others less. Nothing of the projects that are left out.
pub async fn due(
    db: &impl Db,
    now: DateTime<Utc>,
    left_out: &[ProjectId],
    (of_each, in_all): (usize, usize),
) -> Result<Vec<Due>, Error> {
    let number = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let values: Vec<Value> = [now.into(), number(of_each).into(), number(in_all).into()]
        .into_iter()
        .chain(left_out.iter().map(|project| project.0.into()))
        .collect();
    let left_out = if left_out.is_empty() {
        String::new()
    } else {
        let places: Vec<_> = (0..left_out.len()).map(|at| format!("${}", at + 4)).collect();
        format!("AND webhook.project_id NOT IN ({})", places.join(", "))
    };
    let statement = format!(
        "SELECT * FROM
             (SELECT webhook_delivery.id, webhook.project_id, webhook_delivery.webhook_id,
                     webhook_delivery.event, webhook_delivery.body, webhook_delivery.attempts,
                     webhook.url, webhook.secret,
                     ROW_NUMBER() OVER (PARTITION BY webhook.project_id
                                        ORDER BY webhook_delivery.attempts, webhook_delivery.id)
                         AS place
              FROM webhook_delivery JOIN webhook ON webhook.id = webhook_delivery.webhook_id
              WHERE webhook_delivery.next_at <= $1 AND NOT webhook.paused {left_out}) AS waiting
         WHERE place <= $2 ORDER BY place, id LIMIT $3"
    );
    let rows = sql::rows::<DueRow, _>(db, &statement, values).await?;
    rows.into_iter()
        .map(|row| {
            Ok(Due {
                id: DeliveryId(row.id),
                project: ProjectId(row.project_id),
                webhook: WebhookId(row.webhook_id),
                event: row.event,
                body: row.body,
                attempts: sql::number(row.attempts.into())?,
                url: row.url,
                secret: row.secret,
                place: sql::number(row.place)?,
            })
        })
        .collect()
}

/// Begins tries that are over by `until`: those that no other process has begun.
pub async fn claim(
    tx: &Tx,
    deliveries: &[DeliveryId],
    now: DateTime<Utc>,
    until: DateTime<Utc>,
) -> Result<Vec<DeliveryId>, Error> {
    if deliveries.is_empty() {
        return Ok(Vec::new());
    }
    let places: Vec<_> = (0..deliveries.len()).map(|at| format!("${}", at + 3)).collect();
    let statement = format!(
        "UPDATE webhook_delivery SET attempts = attempts + 1, next_at = $2
         WHERE next_at <= $1 AND id IN ({}) RETURNING id",
        places.join(", ")
    );
    let ids = deliveries.iter().map(|id| id.0.into());
    let values: Vec<Value> = [now.into(), until.into()].into_iter().chain(ids).collect();
    let claimed: Vec<(i64,)> = sql::tuples(tx, &statement, values).await?;
    Ok(claimed.into_iter().map(|(id,)| DeliveryId(id)).collect())
}

/// What came of a try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    pub delivered_at: Option<DateTime<Utc>>,
    /// When to try again; none if it was delivered or is given up.
    pub next_at: Option<DateTime<Utc>>,
    pub status: Option<u16>,
    pub problem: Option<String>,
}

/// Notes what came of a try.
pub async fn finish(tx: &Tx, id: DeliveryId, tried: &Tried) -> Result<(), Error> {
    sql::execute(
        tx,
        "UPDATE webhook_delivery SET delivered_at = $2, next_at = $3, status = $4, problem = $5
         WHERE id = $1",
        [
            id.0.into(),
            tried.delivered_at.into(),
            tried.next_at.into(),
            tried.status.map(i32::from).into(),
            tried.problem.as_deref().into(),
        ],
    )
    .await?;
    Ok(())
}

/// Keeps of what is finished of a webhook only the latest.
///
/// The webhook's row is held meanwhile: of two deliveries that end at once, neither would see the other.
pub async fn forget_old(tx: &Tx, webhook: WebhookId) -> Result<(), Error> {
    let hold = "UPDATE webhook SET paused = paused WHERE id = $1";
    sql::execute(tx, hold, [webhook.0.into()]).await?;
    sql::execute(
        tx,
        "DELETE FROM webhook_delivery WHERE id IN
             (SELECT id FROM webhook_delivery WHERE next_at IS NULL AND webhook_id = $1
              ORDER BY id DESC LIMIT $2 OFFSET $3)",
        [webhook.0.into(), FORGOTTEN.into(), KEPT.into()],
    )
    .await?;
    Ok(())
}
