//! What is kept of actions: answered saves, released agreement, the audit trail.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let save_key = table("save_key")
            .col(big_integer("user_id"))
            .col(text("key"))
            .col(text("fingerprint"))
            .col(text("response"))
            .col(timestamp_with_time_zone("created_at"))
            .primary_key(&mut primary_key(&["user_id", "key"]))
            .foreign_key(&mut part_of("save_key", "user_id", "user_account"))
            .take();
        manager.create_table(save_key).await?;
        create_index(manager, "save_key", &["created_at"]).await?;

        let own_release = table("own_release")
            .col(big_integer("project_id"))
            .col(big_integer("member_id"))
            .col(text("payload"))
            .col(timestamp_with_time_zone("released_at"))
            .primary_key(&mut primary_key(&["project_id", "member_id"]))
            .foreign_key(&mut part_of("own_release", "project_id", "project"))
            .foreign_key(&mut part_of("own_release", "member_id", "member"))
            .take();
        manager.create_table(own_release).await?;
        create_index(manager, "own_release", &["member_id"]).await?;

        let audit = table("audit")
            .col(big_pk_auto("id"))
            .col(big_integer_null("project_id"))
            .col(big_integer_null("user_id"))
            .col(timestamp_with_time_zone("at"))
            .col(text("action"))
            .col(text("subject"))
            .col(text("detail"))
            .col(big_integer_null("revision"))
            .foreign_key(&mut remembers("audit", "project_id", "project"))
            .foreign_key(&mut remembers("audit", "user_id", "user_account"))
            .take();
        manager.create_table(audit).await?;
        create_index(manager, "audit", &["project_id", "id"]).await?;
        create_index(manager, "audit", &["project_id", "revision"]).await?;
        create_index(manager, "audit", &["user_id"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["audit", "own_release", "save_key"]).await
    }
}
