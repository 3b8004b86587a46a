//! Whom providers know people as, and which sessions were started through them.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let identity = table("identity")
            .col(big_pk_auto("id"))
            .col(big_integer("user_id"))
            .col(text("issuer"))
            .col(text("subject"))
            // What its owner knows it by, such as the address there.
            .col(text("label"))
            .col(timestamp_with_time_zone("created_at"))
            .col(timestamp_with_time_zone_null("last_used_at"))
            .foreign_key(&mut part_of("identity", "user_id", "user_account"))
            .index(&mut unique("identity", &["issuer", "subject"]))
            .take();
        manager.create_table(identity).await?;
        create_index(manager, "identity", &["user_id"]).await?;
        // SQLite adds a column at a time. Older servers start sessions without these.
        for column in [
            big_integer_null("identity_id"),
            text_null("provider_session"),
            timestamp_with_time_zone_null("proven_at"),
        ] {
            manager.alter_table(Table::alter().table("session").add_column(column).take()).await?;
        }
        create_index(manager, "session", &["identity_id"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .drop_index(Index::drop().name("index_session_identity_id").table("session").to_owned())
            .await?;
        for column in ["identity_id", "provider_session", "proven_at"] {
            manager.alter_table(Table::alter().table("session").drop_column(column).take()).await?;
        }
        drop_tables(manager, &["identity"]).await
    }
}
