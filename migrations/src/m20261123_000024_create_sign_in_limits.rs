//! What limits signing in, where sessions are, and links by which a new password is chosen.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// Before there was a column for it, the demo's people were known by their addresses.
const MARK_DEMO: &str = "UPDATE user_account SET is_demo = TRUE WHERE email LIKE '%@demo.example'";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // Of addresses with and without an account alike, so by a hash.
        let failure = table("sign_in_failure")
            .col(text("subject").primary_key())
            .col(integer("failures"))
            .col(timestamp_with_time_zone_null("locked_until"))
            .col(timestamp_with_time_zone("failed_at"))
            .take();
        manager.create_table(failure).await?;
        create_index(manager, "sign_in_failure", &["failed_at"]).await?;
        for column in ["failed_attempts", "locked_until"] {
            let drop = Table::alter().table("user_account").drop_column(column).take();
            manager.alter_table(drop).await?;
        }

        let device = table("device")
            .col(text("token_hash"))
            .col(big_integer("user_id"))
            .col(timestamp_with_time_zone("used_at"))
            .primary_key(&mut primary_key(&["token_hash", "user_id"]))
            .foreign_key(&mut part_of("device", "user_id", "user_account"))
            .take();
        manager.create_table(device).await?;
        create_index(manager, "device", &["user_id"]).await?;
        create_index(manager, "device", &["used_at"]).await?;

        // One open link for each account.
        let reset = table("password_reset")
            .col(text("token_hash").primary_key())
            .col(big_integer("user_id"))
            .col(big_integer_null("created_by"))
            .col(timestamp_with_time_zone("created_at"))
            .col(timestamp_with_time_zone("expires_at"))
            .foreign_key(&mut part_of("password_reset", "user_id", "user_account"))
            .foreign_key(&mut remembers("password_reset", "created_by", "user_account"))
            .index(&mut unique("password_reset", &["user_id"]))
            .take();
        manager.create_table(reset).await?;
        create_index(manager, "password_reset", &["created_by"]).await?;

        // Sessions of before do not say where they are.
        for column in ["device", "address"] {
            let column = text(column).default("").take();
            manager.alter_table(Table::alter().table("session").add_column(column).take()).await?;
        }
        let is_demo = boolean("is_demo").default(false).take();
        manager
            .alter_table(Table::alter().table("user_account").add_column(is_demo).take())
            .await?;
        manager.get_connection().execute_unprepared(MARK_DEMO).await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (altered, column) in
            [("user_account", "is_demo"), ("session", "address"), ("session", "device")]
        {
            manager.alter_table(Table::alter().table(altered).drop_column(column).take()).await?;
        }
        drop_tables(manager, &["password_reset", "device", "sign_in_failure"]).await?;
        for column in [
            integer("failed_attempts").default(0).take(),
            timestamp_with_time_zone_null("locked_until").take(),
        ] {
            let add = Table::alter().table("user_account").add_column(column).take();
            manager.alter_table(add).await?;
        }
        Ok(())
    }
}
