//! Several webhooks in a project, each with the events that it is told of and its own deliveries.

use sea_orm_migration::sea_orm::DbBackend;

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// Both tables under other names, without keys and indexes, so that theirs are free for the new ones.
const KEEP: [&str; 2] = [
    "CREATE TABLE webhook_kept AS SELECT * FROM webhook",
    "CREATE TABLE webhook_delivery_kept AS SELECT * FROM webhook_delivery",
];

/// A webhook of before is told of alerts. Deliveries keep their ids, which their receivers know; those
/// of a webhook that was removed go.
const TAKE_OVER: [&str; 2] = [
    "INSERT INTO webhook (project_id, url, secret, secret_hidden, events, created_at, created_by)
     SELECT project_id, url, secret, secret_hidden, 'alert.fired alert.cleared', created_at,
            created_by
     FROM webhook_kept ORDER BY project_id",
    "INSERT INTO webhook_delivery (id, webhook_id, event, body, created_at, attempts, next_at,
                                   delivered_at, status, problem)
     SELECT kept.id, webhook.id, kept.event, kept.body, kept.created_at, kept.attempts,
            kept.next_at, kept.delivered_at, kept.status, kept.problem
     FROM webhook_delivery_kept kept JOIN webhook ON webhook.project_id = kept.project_id",
];

/// A project keeps the first of its webhooks that is told of alerts, and what it was told of them.
const GIVE_BACK: [&str; 2] = [
    "INSERT INTO webhook (project_id, url, secret, secret_hidden, created_at, created_by)
     SELECT project_id, url, secret, secret_hidden, created_at, created_by FROM webhook_kept
     WHERE id IN (SELECT MIN(id) FROM webhook_kept
                  WHERE events LIKE '%alert.%' AND NOT paused GROUP BY project_id)",
    "INSERT INTO webhook_delivery (id, project_id, event, body, created_at, attempts, next_at,
                                   delivered_at, status, problem)
     SELECT kept.id, first.project_id, kept.event, kept.body, kept.created_at, kept.attempts,
            kept.next_at, kept.delivered_at, kept.status, kept.problem
     FROM webhook_delivery_kept kept JOIN webhook_kept first ON first.id = kept.webhook_id
     WHERE first.id IN (SELECT MIN(id) FROM webhook_kept
                        WHERE events LIKE '%alert.%' AND NOT paused GROUP BY project_id)
     AND (kept.event LIKE 'alert.%' OR kept.event = 'test')",
];

/// The next id comes after those that were taken over: PostgreSQL does not look at them.
const GO_ON: &str = "SELECT setval(pg_get_serial_sequence('webhook_delivery', 'id'),
                            (SELECT COALESCE(MAX(id), 0) + 1 FROM webhook_delivery_kept), false)";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        run(manager, &KEEP).await?;
        drop_tables(manager, &["webhook_delivery", "webhook"]).await?;

        // The names of the events, with spaces between them.
        let webhook = table("webhook")
            .col(big_pk_auto("id"))
            .col(big_integer("project_id"))
            .col(text("url"))
            .col(text("secret"))
            .col(boolean("secret_hidden").default(false))
            .col(text("events"))
            .col(boolean("paused").default(false))
            .col(big_integer("revision").default(0))
            .col(timestamp_with_time_zone("created_at"))
            .col(big_integer_null("created_by"))
            .foreign_key(&mut part_of("webhook", "project_id", "project"))
            .foreign_key(&mut remembers("webhook", "created_by", "user_account"))
            .take();
        manager.create_table(webhook).await?;
        create_index(manager, "webhook", &["project_id"]).await?;
        create_index(manager, "webhook", &["created_by"]).await?;

        create_deliveries(manager, "webhook_id", "webhook").await?;
        take_back(manager, &TAKE_OVER).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        run(manager, &KEEP).await?;
        drop_tables(manager, &["webhook_delivery", "webhook"]).await?;

        let webhook = table("webhook")
            .col(big_integer("project_id").primary_key())
            .col(text("url"))
            .col(text("secret"))
            .col(boolean("secret_hidden").default(false))
            .col(timestamp_with_time_zone("created_at"))
            .col(big_integer_null("created_by"))
            .foreign_key(&mut part_of("webhook", "project_id", "project"))
            .foreign_key(&mut remembers("webhook", "created_by", "user_account"))
            .take();
        manager.create_table(webhook).await?;
        create_index(manager, "webhook", &["created_by"]).await?;

        create_deliveries(manager, "project_id", "project").await?;
        take_back(manager, &GIVE_BACK).await
    }
}

/// Deliveries, each part of what `whole` has. Without `next_at` nothing more is done: it was delivered,
/// or given up.
async fn create_deliveries(
    manager: &SchemaManager<'_>,
    column: &'static str,
    whole: &'static str,
) -> Result<(), DbErr> {
    let delivery = table("webhook_delivery")
        .col(big_pk_auto("id"))
        .col(big_integer(column))
        .col(text("event"))
        .col(text("body"))
        .col(timestamp_with_time_zone("created_at"))
        .col(integer("attempts").default(0))
        .col(timestamp_with_time_zone_null("next_at"))
        .col(timestamp_with_time_zone_null("delivered_at"))
        .col(integer_null("status"))
        .col(text_null("problem"))
        .foreign_key(&mut part_of("webhook_delivery", column, whole))
        .take();
    manager.create_table(delivery).await?;
    create_index(manager, "webhook_delivery", &[column, "id"]).await?;
    create_index(manager, "webhook_delivery", &["next_at"]).await
}

/// Fills the new tables from those that were kept, which go.
async fn take_back(manager: &SchemaManager<'_>, statements: &[&str]) -> Result<(), DbErr> {
    run(manager, statements).await?;
    if manager.get_database_backend() == DbBackend::Postgres {
        run(manager, &[GO_ON]).await?;
    }
    drop_tables(manager, &["webhook_delivery_kept", "webhook_kept"]).await
}

async fn run(manager: &SchemaManager<'_>, statements: &[&str]) -> Result<(), DbErr> {
    for statement in statements {
        manager.get_connection().execute_unprepared(statement).await?;
    }
    Ok(())
}
