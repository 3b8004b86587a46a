//! The webhooks of projects: where news is sent, and which.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use domain::{ProjectId, Revision, UserId, WebhookEvent, WebhookId, WebhookView};

use sea_orm::sea_query::CaseStatement;

use crate::{
    base::prelude::*,
    entity::{
        project::{self, Entity as Projects},
        webhook::{self, Column, Entity},
    },
};

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
    let row = webhook::ActiveModel {
        project_id: Set(project.0),
        url: Set(new.url.to_owned()),
        secret: Set(new.secret.to_owned()),
        secret_hidden: Set(new.secret_hidden),
        events: Set(written(new.events)),
        created_at: Set(new.at),
        created_by: Set(Some(new.by.0)),
        ..Default::default()
    };
    sql::insert(tx, row).await
}

/// The names of events, as they are kept.
fn written(events: &BTreeSet<WebhookEvent>) -> String {
    events.iter().map(|event| event.name()).collect::<Vec<_>>().join(" ")
}

/// What [`written`] wrote.
struct Events(BTreeSet<WebhookEvent>);

impl Stored for Events {
    type Raw = String;

    fn read(events: String) -> Result<Self, Error> {
        let names = events.split(' ').filter(|name| !name.is_empty());
        names.map(sql::word).collect::<Result<_, _>>().map(Self)
    }
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
    let mut save = Entity::update_many()
        .col_expr(Column::Url, changed.url.into())
        .col_expr(Column::Events, written(changed.events).into())
        .col_expr(Column::Paused, changed.paused.into())
        .col_expr(Column::Revision, base.next().0.into())
        .filter(Column::Id.eq(id.0))
        .filter(Column::Revision.eq(base.0));
    if let Some((secret, hidden)) = changed.secret {
        save = save
            .col_expr(Column::Secret, secret.into())
            .col_expr(Column::SecretHidden, hidden.into());
    }
    Ok(sql::run(tx, save).await? == 1)
}

/// Never shows the secret again; false if the project has no such webhook.
pub async fn hide_secret(tx: &Tx, project: ProjectId, id: WebhookId) -> Result<bool, Error> {
    let hide = Entity::update_many()
        .col_expr(Column::SecretHidden, true.into())
        .filter(Column::ProjectId.eq(project.0))
        .filter(Column::Id.eq(id.0));
    Ok(sql::run(tx, hide).await? == 1)
}

/// Notes that the secret is used on this day; false if it was noted before.
pub async fn use_secret(tx: &Tx, id: WebhookId, on: NaiveDate) -> Result<bool, Error> {
    let note = Entity::update_many()
        .col_expr(Column::SecretUsedOn, on.into())
        .filter(Column::Id.eq(id.0))
        .filter(Column::SecretUsedOn.is_null().or(Column::SecretUsedOn.lt(on)));
    Ok(sql::run(tx, note).await? == 1)
}

/// Removes a webhook with its deliveries, also those that wait; false if the project has none such.
pub async fn remove(tx: &Tx, project: ProjectId, id: WebhookId) -> Result<bool, Error> {
    let remove = Entity::delete_by_id(id.0).filter(Column::ProjectId.eq(project.0));
    Ok(sql::run(tx, remove).await? == 1)
}

/// A project's webhooks in the order in which they were made, each with its secret for as long as
/// that may be shown.
pub async fn list(db: &impl Db, project: ProjectId) -> Result<Vec<WebhookView>, Error> {
    let webhooks = Entity::find().filter(Column::ProjectId.eq(project.0));
    sql::all(db, webhooks.order_by_asc(Column::Id)).await
}

impl FromRow for WebhookView {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let (Events(events), hidden) = (row.get("events")?, row.get("secret_hidden")?);
        Ok(Self {
            id: row.get("id")?,
            url: row.get("url")?,
            events,
            paused: row.get("paused")?,
            secret: if hidden { None } else { row.get("secret")? },
            revision: row.get("revision")?,
            created_at: row.get("created_at")?,
        })
    }
}

/// One of a project's webhooks.
pub async fn find(
    db: &impl Db,
    project: ProjectId,
    id: WebhookId,
) -> Result<Option<WebhookView>, Error> {
    sql::one(db, Entity::find_by_id(id.0).filter(Column::ProjectId.eq(project.0))).await
}

/// The webhooks of a project that are told of an event, and the project's name.
pub async fn told_of(
    tx: &Tx,
    project: ProjectId,
    event: WebhookEvent,
) -> Result<Option<(String, Vec<WebhookId>)>, Error> {
    let name = Projects::find_by_id(project.0).select_only().column(project::Column::Name);
    let name = Expr::SubQuery(None, Box::new(name.into_query().into()));
    let webhooks = Entity::find()
        .select_only()
        .columns([Column::Id, Column::Events])
        .column_as(name, "name")
        .filter(Column::ProjectId.eq(project.0))
        .filter(Column::Paused.eq(false))
        .order_by_asc(Column::Id);
    let (mut told, mut of_project) = (Vec::new(), None);
    for (id, Events(events), name) in sql::all(tx, webhooks).await? {
        if events.contains(&event) {
            told.push(id);
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
const SEALED_AT_ONCE: u64 = 500;

/// Some of the secrets that are stored in clear: what is sealed begins with its version.
pub async fn in_clear(tx: &Tx) -> Result<Vec<Clear>, Error> {
    let clear = Entity::find()
        .filter(Column::Secret.not_like("v1.%"))
        .order_by_asc(Column::Id)
        .limit(SEALED_AT_ONCE);
    sql::all(tx, clear).await
}

read_by_columns! { Clear { id, project: project_id, url, secret } }

/// Stores secrets sealed.
pub async fn set_sealed(tx: &Tx, sealed: &[(WebhookId, String)]) -> Result<(), Error> {
    if sealed.is_empty() {
        return Ok(());
    }
    let secret = sealed.iter().fold(CaseStatement::new(), |case, (id, secret)| {
        case.case(Column::Id.eq(id.0), secret.as_str())
    });
    let secret = secret.finally(Expr::col(Column::Secret));
    let seal = Entity::update_many()
        .col_expr(Column::Secret, secret.into())
        .filter(Column::Secret.not_like("v1.%"));
    sql::run(tx, seal).await?;
    Ok(())
}
