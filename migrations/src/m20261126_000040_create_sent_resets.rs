//! Links to a new password that were sent by mail: beside the one that somebody has made by hand.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // Anybody may have one sent: it must not take the place of another.
        let sent = table("sent_reset")
            .col(text("token_hash").primary_key())
            .col(big_integer("user_id"))
            .col(timestamp_with_time_zone("created_at"))
            .col(timestamp_with_time_zone("expires_at"))
            .foreign_key(&mut part_of("sent_reset", "user_id", "user_account"))
            .take();
        manager.create_table(sent).await?;
        create_index(manager, "sent_reset", &["user_id"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["sent_reset"]).await
    }
}
