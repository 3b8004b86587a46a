//! Limits on agreement, the alerts that they raise, and where alerts are sent.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // Not `limit`, which is reserved. `evaluated` is the project's revision that the rule was
        // held against last; before the first time it is lower than any.
        let rule = table("alert_rule")
            .col(big_pk_auto("id"))
            .col(big_integer("project_id"))
            .col(text("subject"))
            .col(text("measure"))
            .col(text("policy"))
            .col(text("documents"))
            .col(double("limit_value"))
            .col(big_integer("minimum_n"))
            .col(big_integer("evaluated").default(-1))
            .col(timestamp_with_time_zone("created_at"))
            .col(big_integer_null("created_by"))
            .foreign_key(&mut part_of("alert_rule", "project_id", "project"))
            .foreign_key(&mut remembers("alert_rule", "created_by", "user_account"))
            .take();
        manager.create_table(rule).await?;
        create_index(manager, "alert_rule", &["project_id"]).await?;
        create_index(manager, "alert_rule", &["created_by"]).await?;

        // Without raters it is about all labelers at once.
        let alert = table("alert")
            .col(big_pk_auto("id"))
            .col(big_integer("rule_id"))
            .col(big_integer_null("first_id"))
            .col(big_integer_null("second_id"))
            .col(timestamp_with_time_zone("fired_at"))
            .col(timestamp_with_time_zone_null("cleared_at"))
            .col(double("value"))
            .col(double("lower"))
            .col(big_integer("n"))
            .col(big_integer("revision"))
            .foreign_key(&mut part_of("alert", "rule_id", "alert_rule"))
            .foreign_key(&mut part_of("alert", "first_id", "member"))
            .foreign_key(&mut part_of("alert", "second_id", "member"))
            .take();
        manager.create_table(alert).await?;
        create_index(manager, "alert", &["rule_id"]).await?;
        create_index(manager, "alert", &["first_id"]).await?;
        create_index(manager, "alert", &["second_id"]).await?;

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

        // Without `next_at` nothing more is done: it was delivered, or given up.
        let delivery = table("webhook_delivery")
            .col(big_pk_auto("id"))
            .col(big_integer("project_id"))
            .col(text("event"))
            .col(text("body"))
            .col(timestamp_with_time_zone("created_at"))
            .col(integer("attempts").default(0))
            .col(timestamp_with_time_zone_null("next_at"))
            .col(timestamp_with_time_zone_null("delivered_at"))
            .col(integer_null("status"))
            .col(text_null("problem"))
            .foreign_key(&mut part_of("webhook_delivery", "project_id", "project"))
            .take();
        manager.create_table(delivery).await?;
        create_index(manager, "webhook_delivery", &["project_id", "id"]).await?;
        create_index(manager, "webhook_delivery", &["next_at"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["webhook_delivery", "webhook", "alert", "alert_rule"]).await
    }
}
