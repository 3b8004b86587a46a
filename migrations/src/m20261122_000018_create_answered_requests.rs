//! Requests of programs that were answered, by the key that the program chose.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let request = table("answered_request")
            .col(big_integer("user_id"))
            .col(text("key"))
            .col(text("fingerprint"))
            // Both are empty while the request is being carried out.
            .col(integer_null("status"))
            .col(text_null("headers"))
            .col(text_null("body"))
            .col(timestamp_with_time_zone("created_at"))
            .primary_key(&mut primary_key(&["user_id", "key"]))
            .foreign_key(&mut part_of("answered_request", "user_id", "user_account"))
            .take();
        manager.create_table(request).await?;
        create_index(manager, "answered_request", &["created_at"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["answered_request"]).await
    }
}
