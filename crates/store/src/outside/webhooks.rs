//! The webhooks of projects: where news is sent, and which.

use std::collections::BTreeSet;

use chrono::{DateTime, NaiveDate, Utc};
use domain::{ProjectId, Revision, UserId, WebhookEvent, WebhookId, WebhookView};
use sea_orm::{FromQueryResult, Value, prelude::*};

use crate::{Db, Error, Tx, base::sql};

/// A webhook to keep.
#[derive(Clone, Debug)]
pub struct NewWebhook<'a> {
    pub url: &'a str,
    /// Sealed, as secrets of webhooks always are here.
    pub secret: &'a str,
    /// Whether the secret is never to be shown again.
    pub secret_hidden: bool,
    pub events: &'a BTreeSet<WebhookEvent>,
    pub by: UserId,
    pub at: DateTime<Utc>,
}

/// Adds a webhook to a project.
pub async fn insert(tx: &Tx, project: ProjectId, new: NewWebhook<'_>) -> Result<WebhookId, Error> {
    let id: Option<i64> = sql::tuple(
        tx,
        "INSERT INTO webhook (project_id, url, secret, secret_hidden, events, created_at,
                              created_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id",
        [
            project.0.into(),
            new.url.into(),
            new.secret.into(),
            new.secret_hidden.into(),
            written(new.events).into(),
            new.at.into(),
            new.by.0.into(),
        ],
    )
    .await?;
    id.map(WebhookId).ok_or_else(|| Error::unreadable("a webhook without an id"))
}

/// The names of events, as they are kept.
fn written(events: &BTreeSet<WebhookEvent>) -> String {
    events.iter().map(|event| event.name()).collect::<Vec<_>>().join(" ")
}

fn read(events: &str) -> Result<BTreeSet<WebhookEvent>, Error> {
    events.split(' ').filter(|name| !name.is_empty()).map(sql::word).collect()
}

/// What a webhook is to be from now on.
#[derive(Clone, Debug)]
pub struct Changed<'a> {
    pub url: &'a str,
    pub events: &'a BTreeSet<WebhookEvent>,
    pub paused: bool,
    /// A new secret, and whether it is never to be shown; the old one stays without.
    pub secret: Option<(&'a str, bool)>,
}

/// Changes a webhook; false if it has moved on since this revision.
pub async fn save(
    tx: &Tx,
    id: WebhookId,
    base: Revision,
    changed: Changed<'_>,
) -> Result<bool, Error> {
    let (secret, hidden) = changed.secret.unzip();
    let saved = sql::execute(
        tx,
        "UPDATE webhook SET url = $3, events = $4, paused = $5,
             secret = COALESCE($6, secret), secret_hidden = COALESCE($7, secret_hidden),
             revision = revision + 1
         WHERE id = $1 AND revision = $2",
        [
            id.0.into(),
            base.0.into(),
            changed.url.into(),
            written(changed.events).into(),
            changed.paused.into(),
            secret.into(),
            hidden.into(),
        ],
    )
    .await?;
    Ok(saved == 1)
}

/// Never shows the secret again; false if the project has no such webhook.
pub async fn hide_secret(tx: &Tx, project: ProjectId, id: WebhookId) -> Result<bool, Error> {
    let hidden = sql::execute(
        tx,
        "UPDATE webhook SET secret_hidden = $3 WHERE project_id = $1 AND id = $2",
        [project.0.into(), id.0.into(), true.into()],
    )
    .await?;
    Ok(hidden == 1)
}

/// Notes that the secret is used on this day; false if it was noted before.
pub async fn use_secret(tx: &Tx, id: WebhookId, on: NaiveDate) -> Result<bool, Error> {
    let noted = sql::execute(
        tx,
        "UPDATE webhook SET secret_used_on = $2
         WHERE id = $1 AND (secret_used_on IS NULL OR secret_used_on < $2)",
        [id.0.into(), on.into()],
    )
    .await?;
    Ok(noted == 1)
}

/// Removes a webhook with its deliveries, also those that wait; false if the project has none such.
pub async fn remove(tx: &Tx, project: ProjectId, id: WebhookId) -> Result<bool, Error> {
    let removed = sql::execute(
        tx,
        "DELETE FROM webhook WHERE project_id = $1 AND id = $2",
        [project.0.into(), id.0.into()],
    )
    .await?;
    Ok(removed == 1)
}

#[derive(FromQueryResult)]
struct Row {
    id: i64,
    url: String,
    secret: String,
    secret_hidden: bool,
    events: String,
    paused: bool,
    revision: i64,
    created_at: DateTimeUtc,
}

/// A project's webhooks in the order in which they were made, each with its secret for as long as
/// that may be shown.
pub async fn list(db: &impl Db, project: ProjectId) -> Result<Vec<WebhookView>, Error> {
    let rows = sql::rows::<Row, _>(
        db,
        "SELECT id, url, secret, secret_hidden, events, paused, revision, created_at
         FROM webhook WHERE project_id = $1 ORDER BY id",
        [project.0.into()],
    )
    .await?;
    rows.into_iter().map(viewed).collect()
}

/// One of a project's webhooks.
pub async fn find(
    db: &impl Db,
    project: ProjectId,
    id: WebhookId,
) -> Result<Option<WebhookView>, Error> {
    let row = sql::row::<Row, _>(
        db,
        "SELECT id, url, secret, secret_hidden, events, paused, revision, created_at
         FROM webhook WHERE project_id = $1 AND id = $2",
        [project.0.into(), id.0.into()],
    )
    .await?;
    row.map(viewed).transpose()
}

fn viewed(row: Row) -> Result<WebhookView, Error> {
    Ok(WebhookView {
        id: WebhookId(row.id),
        url: row.url,
        events: read(&row.events)?,
        paused: row.paused,
        secret: (!row.secret_hidden).then_some(row.secret),
        revision: Revision(row.revision),
        created_at: row.created_at,
    })
}

/// The webhooks of a project that are told of an event, and the project's name.
pub async fn told_of(
    tx: &Tx,
    project: ProjectId,
    event: WebhookEvent,
) -> Result<Option<(String, Vec<WebhookId>)>, Error> {
    let rows: Vec<(String, i64, String)> = sql::tuples(
        tx,
        "SELECT project.name, webhook.id, webhook.events
         FROM webhook JOIN project ON project.id = webhook.project_id
         WHERE webhook.project_id = $1 AND NOT webhook.paused ORDER BY webhook.id",
        [project.0.into()],
    )
    .await?;
    let (mut told, mut of_project) = (Vec::new(), None);
    for (name, id, events) in rows {
        if read(&events)?.contains(&event) {
            told.push(WebhookId(id));
            of_project = Some(name);
        }
    }
    Ok(of_project.map(|name| (name, told)))
}

/// A secret that an earlier version has stored in clear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clear {
    pub id: WebhookId,
    pub project: ProjectId,
    pub url: String,
    pub secret: String,
}

/// How many secrets are sealed at a time.
const SEALED_AT_ONCE: i64 = 500;

/// Some of the secrets that are stored in clear: what is sealed begins with its version.
pub async fn in_clear(tx: &Tx) -> Result<Vec<Clear>, Error> {
    let rows: Vec<(i64, i64, String, String)> = sql::tuples(
        tx,
        "SELECT id, project_id, url, secret FROM webhook WHERE secret NOT LIKE 'v1.%'
         ORDER BY id LIMIT $1",
        [SEALED_AT_ONCE.into()],
    )
    .await?;
    let clear = |(id, project, url, secret)| Clear {
        id: WebhookId(id),
        project: ProjectId(project),
        url,
        secret,
    };
    Ok(rows.into_iter().map(clear).collect())
}

/// Stores secrets sealed.
pub async fn set_sealed(tx: &Tx, sealed: &[(WebhookId, String)]) -> Result<(), Error> {
    if sealed.is_empty() {
        return Ok(());
    }
    let cases: Vec<_> = (0..sealed.len())
        .map(|at| format!("WHEN id = ${} THEN ${}", 2 * at + 1, 2 * at + 2))
        .collect();
    let statement = format!(
        "UPDATE webhook SET secret = CASE {} ELSE secret END WHERE secret NOT LIKE 'v1.%'",
        cases.join(" ")
    );
    let values: Vec<Value> =
        sealed.iter().flat_map(|(id, secret)| [id.0.into(), secret.as_str().into()]).collect();
    sql::execute(tx, &statement, values).await?;
    Ok(())
}
