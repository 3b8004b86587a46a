//! Passkeys, and the challenges that one was answered with already.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // Bytes are written in base64.
        let passkey = table("passkey")
            .col(big_pk_auto("id"))
            .col(big_integer("user_id"))
            .col(text("credential_id"))
            // The same in all passkeys of a person.
            .col(text("user_handle"))
            // The public key, and what changes with each use, such as the counter.
            .col(text("static_state"))
            .col(text("dynamic_state"))
            .col(text("name"))
            .col(timestamp_with_time_zone("created_at"))
            .col(timestamp_with_time_zone_null("last_used_at"))
            .foreign_key(&mut part_of("passkey", "user_id", "user_account"))
            .index(&mut unique("passkey", &["credential_id"]))
            .take();
        manager.create_table(passkey).await?;
        create_index(manager, "passkey", &["user_id"]).await?;

        let used = table("used_challenge")
            .col(text("challenge_hash").primary_key())
            .col(timestamp_with_time_zone("expires_at"))
            .take();
        manager.create_table(used).await?;
        create_index(manager, "used_challenge", &["expires_at"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["used_challenge", "passkey"]).await
    }
}
