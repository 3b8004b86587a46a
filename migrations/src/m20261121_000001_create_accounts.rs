//! People and their sessions.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // Not `user`: that word is reserved in PostgreSQL.
        let user_account = table("user_account")
            .col(big_pk_auto("id"))
            .col(text("email"))
            .col(text("name"))
            .col(text("password_hash"))
            .col(boolean("may_create_projects"))
            .col(integer("failed_attempts").default(0))
            .col(timestamp_with_time_zone_null("locked_until"))
            .col(timestamp_with_time_zone("created_at"))
            .index(&mut unique("user_account", &["email"]))
            .take();
        manager.create_table(user_account).await?;

        let session = table("session")
            .col(text("token_hash").primary_key())
            .col(big_integer("user_id"))
            .col(timestamp_with_time_zone("created_at"))
            .col(timestamp_with_time_zone("last_seen_at"))
            .col(timestamp_with_time_zone("expires_at"))
            .foreign_key(&mut part_of("session", "user_id", "user_account"))
            .take();
        manager.create_table(session).await?;
        create_index(manager, "session", &["user_id"]).await?;
        create_index(manager, "session", &["expires_at"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["session", "user_account"]).await
    }
}
