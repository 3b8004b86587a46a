//! Due dates, pauses, the pool that labelers draw from, and what was given out at once, so that it
//! can be undone.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (altered, column) in [("assignment", "due_at"), ("member", "paused_at")] {
            let column = timestamp_with_time_zone_null(column);
            manager.alter_table(Table::alter().table(altered).add_column(column).take()).await?;
        }

        let pool = table("pool")
            .col(big_integer("project_id").primary_key())
            .col(big_integer("copies"))
            .col(big_integer("cap"))
            .col(big_integer("days"))
            .col(big_integer("drawn").default(0))
            .foreign_key(&mut part_of("pool", "project_id", "project"))
            .take();
        manager.create_table(pool).await?;

        // What was asked for, as JSON: to be told, never to be searched.
        let act = table("workload_act")
            .col(big_pk_auto("id"))
            .col(big_integer("project_id"))
            .col(big_integer_null("made_by"))
            .col(timestamp_with_time_zone("made_at"))
            .col(timestamp_with_time_zone_null("undone_at"))
            .col(text("ask"))
            .col(text_null("seed"))
            .foreign_key(&mut part_of("workload_act", "project_id", "project"))
            .foreign_key(&mut remembers("workload_act", "made_by", "user_account"))
            .take();
        manager.create_table(act).await?;
        create_index(manager, "workload_act", &["project_id"]).await?;
        create_index(manager, "workload_act", &["made_by"]).await?;

        // A copy before and after: whether it was there, and when it was due.
        let part = table("workload_act_part")
            .col(big_integer("act_id"))
            .col(big_integer("document_id"))
            .col(big_integer("member_id"))
            .col(boolean("was_there"))
            .col(boolean("is_there"))
            .col(timestamp_with_time_zone_null("was_due"))
            .col(timestamp_with_time_zone_null("is_due"))
            .col(boolean("left_alone").default(false))
            .primary_key(&mut primary_key(&["act_id", "document_id", "member_id"]))
            .foreign_key(&mut part_of("workload_act_part", "act_id", "workload_act"))
            .foreign_key(&mut part_of("workload_act_part", "document_id", "document"))
            .foreign_key(&mut part_of("workload_act_part", "member_id", "member"))
            .take();
        manager.create_table(part).await?;
        create_index(manager, "workload_act_part", &["document_id"]).await?;
        create_index(manager, "workload_act_part", &["member_id"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["workload_act_part", "workload_act", "pool"]).await?;
        for (altered, column) in [("assignment", "due_at"), ("member", "paused_at")] {
            manager.alter_table(Table::alter().table(altered).drop_column(column).take()).await?;
        }
        Ok(())
    }
}
