//! What was or is to be sent to webhooks.

use domain::{Delivery, DeliveryId, ProjectId, WebhookEvent, WebhookId};
use sea_orm::sea_query::CaseStatement;

use super::queue::{self, Queue};
use crate::{
    base::prelude::*,
    entity::{
        webhook,
        webhook_delivery::{self, Column, Entity},
    },
};

/// How many finished deliveries of a webhook are kept, and how many of the others go at a time.
const KEPT: u64 = 50;
const FORGOTTEN: u64 = 100;

/// How many bodies are read at a time.
const READ_AT_ONCE: u64 = 500;

impl Queue for Entity {
    const ID: Column = Column::Id;
    const ATTEMPTS: Column = Column::Attempts;
    const NEXT_AT: Column = Column::NextAt;
}

/// Queues the same for some webhooks, to be sent at once.
pub async fn enqueue(
    tx: &Tx,
    webhooks: &[WebhookId],
    event: WebhookEvent,
    body: &str,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let rows = webhooks.iter().map(|webhook| queued(*webhook, event, body, now));
    chunks::insert(tx, rows.collect()).await
}

/// Queues something for one webhook, to be sent at once.
pub async fn enqueue_one(
    tx: &Tx,
    webhook: WebhookId,
    event: WebhookEvent,
    body: &str,
    now: DateTime<Utc>,
) -> Result<DeliveryId, Error> {
    sql::insert(tx, queued(webhook, event, body, now)).await
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
    let latest = Entity::find()
        .filter(Column::WebhookId.eq(webhook.0))
        .filter(Column::Id.lt(before))
        .order_by_desc(Column::Id)
        .limit(u64::from(limit));
    sql::all(db, latest).await
}

/// One of a webhook's deliveries.
pub async fn find(
    db: &impl Db,
    webhook: WebhookId,
    id: DeliveryId,
) -> Result<Option<Delivery>, Error> {
    sql::one(db, Entity::find_by_id(id.0).filter(Column::WebhookId.eq(webhook.0))).await
}

/// Some of what was or is to be sent of projects, in the order of their ids, after this one: with its body.
pub async fn bodies(
    tx: &Tx,
    projects: &[ProjectId],
    after: DeliveryId,
) -> Result<Vec<(DeliveryId, String)>, Error> {
    let theirs = webhook::Entity::find()
        .select_only()
        .column(webhook::Column::Id)
        .filter(webhook::Column::ProjectId.is_in(projects.iter().map(|project| project.0)));
    let bodies = Entity::find()
        .select_only()
        .columns([Column::Id, Column::Body])
        .filter(Column::WebhookId.in_subquery(theirs.into_query()))
        .filter(Column::Id.gt(after.0))
        .order_by_asc(Column::Id)
        .limit(READ_AT_ONCE);
    sql::all(tx, bodies).await
}

/// Stores other bodies in the place of those that are there.
pub async fn set_bodies(tx: &Tx, bodies: &[(DeliveryId, String)]) -> Result<(), Error> {
    if bodies.is_empty() {
        return Ok(());
    }
    let body = bodies.iter().fold(CaseStatement::new(), |case, (id, body)| {
        case.case(Column::Id.eq(id.0), body.as_str())
    });
    let body = body.finally(Expr::col(Column::Body));
    let change = Entity::update_many()
        .col_expr(Column::Body, body.into())
        .filter(Column::Id.is_in(bodies.iter().map(|(id, _)| id.0)));
    sql::run(tx, change).await?;
    Ok(())
}

read_by_columns! {
    Delivery { id, event, body, created_at, attempts, next_at, delivered_at, status, problem }
    Due {
        id, project: project_id, webhook: webhook_id, event, body, attempts, url, secret, place
    }
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

/// What is to be sent by now: so many of each project at most, and so many in all, the first of each
/// project before the second of any. Of a project, what failed before comes last, so that an address where
/// nobody answers holds up the others less. Nothing of the projects that are left out.
pub async fn due(
    db: &impl Db,
    now: DateTime<Utc>,
    left_out: &[ProjectId],
    (of_each, in_all): (usize, usize),
) -> Result<Vec<Due>, Error> {
    // SQL: functions over a window.
    let values = [now.into(), sql::signed(of_each).into(), sql::signed(in_all).into()];
    let values = values.into_iter().chain(left_out.iter().map(|project| project.0.into()));
    let left_out = if left_out.is_empty() {
        String::new()
    } else {
        let places = sql::placeholders_from(4, left_out.len());
        format!("AND webhook.project_id NOT IN ({places})")
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
    sql::rows(db, &statement, values).await
}

/// How many wait that are due, and since when the first of them. Those of a webhook that is paused do not.
pub async fn backlog(
    db: &impl Db,
    now: DateTime<Utc>,
) -> Result<(u64, Option<DateTime<Utc>>), Error> {
    let of_active = Entity::find()
        .joined(Column::WebhookId, webhook::Entity, webhook::Column::Id)
        .filter(webhook::Column::Paused.eq(false));
    queue::backlog(db, of_active, now).await
}

/// Begins tries that are over by `until`: those that no other process has begun.
pub async fn claim(
    tx: &Tx,
    deliveries: &[DeliveryId],
    now: DateTime<Utc>,
    until: DateTime<Utc>,
) -> Result<Vec<DeliveryId>, Error> {
    queue::claim::<Entity, _>(tx, deliveries.iter().map(|id| id.0), now, until).await
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
    let finish = Entity::update_many()
        .col_expr(Column::DeliveredAt, tried.delivered_at.into())
        .col_expr(Column::NextAt, tried.next_at.into())
        .col_expr(Column::Status, tried.status.map(i32::from).into())
        .col_expr(Column::Problem, tried.problem.clone().into())
        .filter(Column::Id.eq(id.0));
    sql::run(tx, finish).await?;
    Ok(())
}

/// Keeps of what is finished of a webhook only the latest.
///
/// The webhook's row is held meanwhile: of two deliveries that end at once, neither would see the other.
pub async fn forget_old(tx: &Tx, webhook: WebhookId) -> Result<(), Error> {
    let hold = webhook::Entity::update_many()
        .col_expr(webhook::Column::Paused, Expr::col(webhook::Column::Paused))
        .filter(webhook::Column::Id.eq(webhook.0));
    sql::run(tx, hold).await?;
    let old = Entity::find()
        .select_only()
        .column(Column::Id)
        .filter(Column::NextAt.is_null())
        .filter(Column::WebhookId.eq(webhook.0))
        .order_by_desc(Column::Id)
        .limit(FORGOTTEN)
        .offset(KEPT);
    sql::run(tx, Entity::delete_many().filter(Column::Id.in_subquery(old.into_query()))).await?;
    Ok(())
}
