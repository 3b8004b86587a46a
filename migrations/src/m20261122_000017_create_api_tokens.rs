//! Tokens with which programs act for a person.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let token = table("api_token")
            .col(big_pk_auto("id"))
            .col(big_integer("user_id"))
            .col(text("name"))
            .col(text("token_hash"))
            // Words with a space between them.
            .col(text("scopes"))
            // As JSON, a list of ids; none for all projects. Ids are never given out twice.
            .col(text_null("projects"))
            .col(timestamp_with_time_zone("created_at"))
            .col(timestamp_with_time_zone("expires_at"))
            .col(timestamp_with_time_zone_null("last_used_at"))
            .foreign_key(&mut part_of("api_token", "user_id", "user_account"))
            .index(&mut unique("api_token", &["token_hash"]))
            .take();
        manager.create_table(token).await?;
        create_index(manager, "api_token", &["user_id"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["api_token"]).await
    }
}
