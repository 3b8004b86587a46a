//! Second passes over documents that labelers have submitted, to see whether they agree with
//! themselves. They have tables of their own: nothing that compares raters reads them.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // What was asked for, and the seed, so that anybody can draw the same documents.
        let batch = table("repeat_batch")
            .col(big_pk_auto("id"))
            .col(big_integer("project_id"))
            .col(big_integer("documents"))
            .col(big_integer("days"))
            .col(text("seed"))
            .col(timestamp_with_time_zone("given_at"))
            .col(big_integer_null("given_by"))
            .foreign_key(&mut part_of("repeat_batch", "project_id", "project"))
            .foreign_key(&mut remembers("repeat_batch", "given_by", "user_account"))
            .take();
        manager.create_table(batch).await?;
        create_index(manager, "repeat_batch", &["project_id"]).await?;
        create_index(manager, "repeat_batch", &["given_by"]).await?;

        // A copy is repeated once at most.
        let repeat = table("repeat")
            .col(big_pk_auto("id"))
            .col(big_integer("batch_id"))
            .col(big_integer("assignment_id"))
            .col(text("state"))
            .col(big_integer("revision"))
            .col(timestamp_with_time_zone_null("saved_at"))
            .foreign_key(&mut part_of("repeat", "batch_id", "repeat_batch"))
            .foreign_key(&mut part_of("repeat", "assignment_id", "assignment"))
            .index(&mut unique("repeat", &["assignment_id"]))
            .take();
        manager.create_table(repeat).await?;
        create_index(manager, "repeat", &["batch_id"]).await?;

        let span = table("repeat_span")
            .col(big_pk_auto("id"))
            .col(big_integer("repeat_id"))
            .col(big_integer("start_at"))
            .col(big_integer("end_at"))
            .col(big_integer("label_id"))
            .foreign_key(&mut part_of("repeat_span", "repeat_id", "repeat"))
            .foreign_key(&mut needs("repeat_span", "label_id", "label"))
            .index(&mut unique("repeat_span", &["repeat_id", "start_at", "end_at", "label_id"]))
            .check(forward_range())
            .take();
        manager.create_table(span).await?;
        create_index(manager, "repeat_span", &["label_id"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["repeat_span", "repeat", "repeat_batch"]).await
    }
}
