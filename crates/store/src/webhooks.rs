//! Where a project's alerts are sent, and what was sent there.

use chrono::{DateTime, Utc};
use domain::{Delivery, DeliveryId, ProjectId, UserId, WebhookView};
use sea_orm::{ActiveValue::Set, EntityTrait, FromQueryResult, prelude::*};

use crate::{
    Db, Error, Tx,
    db::Connected,
    entity::webhook_delivery::{self, Entity},
    sql,
};

/// How many finished deliveries of a project are kept.
const KEPT: i64 = 50;

/// Sets a project's webhook in the place of the one it has.
pub async fn save(
    tx: &Tx,
    project: ProjectId,
    url: &str,
    secret: &str,
    by: UserId,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    sql::execute(
        tx,
        "INSERT INTO webhook (project_id, url, secret, secret_hidden, created_at, created_by)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (project_id) DO UPDATE SET
             url = excluded.url, secret = excluded.secret, secret_hidden = excluded.secret_hidden,
             created_at = excluded.created_at, created_by = excluded.created_by",
        [project.0.into(), url.into(), secret.into(), false.into(), now.into(), by.0.into()],
    )
    .await?;
    Ok(())
}

/// Never shows the secret again; false if there is no webhook.
pub async fn hide_secret(tx: &Tx, project: ProjectId) -> Result<bool, Error> {
    let hidden = sql::execute(
        tx,
        "UPDATE webhook SET secret_hidden = $2 WHERE project_id = $1",
        [project.0.into(), true.into()],
    )
    .await?;
    Ok(hidden == 1)
}

/// Removes a project's webhook and gives up what waits for it; false if there is none.
pub async fn remove(tx: &Tx, project: ProjectId) -> Result<bool, Error> {
    sql::execute(
        tx,
        "UPDATE webhook_delivery SET next_at = NULL, problem = 'the webhook was removed'
         WHERE project_id = $1 AND next_at IS NOT NULL",
        [project.0.into()],
    )
    .await?;
    let removed =
        sql::execute(tx, "DELETE FROM webhook WHERE project_id = $1", [project.0.into()]).await?;
    Ok(removed == 1)
}

#[derive(FromQueryResult)]
struct Row {
    url: String,
    secret: String,
    secret_hidden: bool,
    created_at: DateTimeUtc,
}

/// A project's webhook, with its secret for as long as that may be shown.
pub async fn find(db: &impl Db, project: ProjectId) -> Result<Option<WebhookView>, Error> {
    let row = sql::row::<Row, _>(
        db,
        "SELECT url, secret, secret_hidden, created_at FROM webhook WHERE project_id = $1",
        [project.0.into()],
    )
    .await?;
    Ok(row.map(|row| WebhookView {
        url: row.url,
        secret: (!row.secret_hidden).then_some(row.secret),
        created_at: row.created_at,
    }))
}

/// Queues something for a project's webhook, to be sent at once; nothing if it has none. Of what
/// is finished only the latest is kept.
pub async fn enqueue(
    tx: &Tx,
    project: ProjectId,
    event: &str,
    body: &str,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    if find(tx, project).await?.is_none() {
        return Ok(());
    }
    let row = webhook_delivery::ActiveModel {
        project_id: Set(project.0),
        event: Set(event.to_owned()),
        body: Set(body.to_owned()),
        created_at: Set(now),
        next_at: Set(Some(now)),
        ..Default::default()
    };
    Entity::insert(row).exec_without_returning(tx.connection()).await?;
    sql::execute(
        tx,
        "DELETE FROM webhook_delivery WHERE project_id = $1 AND next_at IS NULL AND id NOT IN
             (SELECT id FROM webhook_delivery WHERE project_id = $1 ORDER BY id DESC LIMIT $2)",
        [project.0.into(), KEPT.into()],
    )
    .await?;
    Ok(())
}

/// A project's deliveries, the latest first.
pub async fn deliveries(db: &impl Db, project: ProjectId) -> Result<Vec<Delivery>, Error> {
    let rows = sql::rows::<webhook_delivery::Model, _>(
        db,
        "SELECT * FROM webhook_delivery WHERE project_id = $1 ORDER BY id DESC LIMIT $2",
        [project.0.into(), KEPT.into()],
    )
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(Delivery {
                id: DeliveryId(row.id),
                event: row.event,
                created_at: row.created_at,
                attempts: sql::number(row.attempts.into())?,
                next_at: row.next_at,
                delivered_at: row.delivered_at,
                status: row.status.map(|status| sql::number(status.into())).transpose()?,
                problem: row.problem,
            })
        })
        .collect()
}

/// Something to send now, and where to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    pub id: DeliveryId,
    pub event: String,
    pub body: String,
    /// How often it was tried before.
    pub attempts: u32,
    pub url: String,
    pub secret: String,
}

#[derive(FromQueryResult)]
struct DueRow {
    id: i64,
    event: String,
    body: String,
    attempts: i32,
    url: String,
    secret: String,
}

/// What is to be sent by now, in the order in which it was queued, so many at most.
pub async fn due(db: &impl Db, now: DateTime<Utc>, limit: u32) -> Result<Vec<Due>, Error> {
    let rows = sql::rows::<DueRow, _>(
        db,
        "SELECT webhook_delivery.id, webhook_delivery.event, webhook_delivery.body,
                webhook_delivery.attempts, webhook.url, webhook.secret
         FROM webhook_delivery JOIN webhook ON webhook.project_id = webhook_delivery.project_id
         WHERE webhook_delivery.next_at <= $1
         ORDER BY webhook_delivery.id LIMIT $2",
        [now.into(), i64::from(limit).into()],
    )
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(Due {
                id: DeliveryId(row.id),
                event: row.event,
                body: row.body,
                attempts: sql::number(row.attempts.into())?,
                url: row.url,
                secret: row.secret,
            })
        })
        .collect()
}

/// Begins a try that is over by `until`; false if another process has begun it.
pub async fn claim(tx: &Tx, due: &Due, until: DateTime<Utc>) -> Result<bool, Error> {
    let claimed = sql::execute(
        tx,
        "UPDATE webhook_delivery SET attempts = attempts + 1, next_at = $3
         WHERE id = $1 AND attempts = $2 AND next_at IS NOT NULL",
        [due.id.0.into(), i64::from(due.attempts).into(), until.into()],
    )
    .await?;
    Ok(claimed == 1)
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
