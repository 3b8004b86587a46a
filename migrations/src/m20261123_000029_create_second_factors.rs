//! Second factors: apps that make codes, recovery codes, and who has to have one.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // One app for each account, and one that is about to take its place.
        let app = table("authenticator_app")
            .col(big_integer("user_id").primary_key())
            .col(text_null("secret"))
            .col(timestamp_with_time_zone_null("confirmed_at"))
            .col(big_integer("last_step").default(0))
            .col(text_null("new_secret"))
            .col(timestamp_with_time_zone_null("new_at"))
            .foreign_key(&mut part_of("authenticator_app", "user_id", "user_account"))
            .take();
        manager.create_table(app).await?;

        let code = table("recovery_code")
            .col(big_integer("user_id"))
            .col(text("code_hash"))
            .col(timestamp_with_time_zone("created_at"))
            .col(timestamp_with_time_zone_null("used_at"))
            .primary_key(&mut primary_key(&["user_id", "code_hash"]))
            .foreign_key(&mut part_of("recovery_code", "user_id", "user_account"))
            .take();
        manager.create_table(code).await?;

        let since = timestamp_with_time_zone_null("second_factor_since");
        manager.alter_table(Table::alter().table("user_account").add_column(since).take()).await?;
        let requires = boolean("requires_second_factor").default(false).take();
        manager.alter_table(Table::alter().table("project").add_column(requires).take()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (altered, column) in
            [("project", "requires_second_factor"), ("user_account", "second_factor_since")]
        {
            manager.alter_table(Table::alter().table(altered).drop_column(column).take()).await?;
        }
        drop_tables(manager, &["recovery_code", "authenticator_app"]).await
    }
}
