//! Why reviewers decided, and what they decided at once, so that it can be taken back at once.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let note = Table::alter().table("decision").add_column(text("note").default("")).take();
        manager.alter_table(note).await?;

        let act = table("decision_act")
            .col(big_pk_auto("id"))
            .col(big_integer("project_id"))
            .col(big_integer("member_id"))
            .col(timestamp_with_time_zone("made_at"))
            .col(timestamp_with_time_zone_null("undone_at"))
            .foreign_key(&mut part_of("decision_act", "project_id", "project"))
            .foreign_key(&mut part_of("decision_act", "member_id", "member"))
            .take();
        manager.create_table(act).await?;
        create_index(manager, "decision_act", &["project_id"]).await?;
        create_index(manager, "decision_act", &["member_id"]).await?;

        // What stood on each position before and after, as JSON: to be compared and put back as a
        // whole, never to be searched.
        let part = table("decision_act_part")
            .col(big_integer("act_id"))
            .col(big_integer("document_id"))
            .col(big_integer("start_at"))
            .col(big_integer("end_at"))
            .col(text_null("before"))
            .col(text_null("after"))
            .col(boolean("left_alone").default(false))
            .primary_key(&mut primary_key(&["act_id", "document_id", "start_at", "end_at"]))
            .foreign_key(&mut part_of("decision_act_part", "act_id", "decision_act"))
            .foreign_key(&mut part_of("decision_act_part", "document_id", "document"))
            .check(forward_range())
            .take();
        manager.create_table(part).await?;
        create_index(manager, "decision_act_part", &["document_id"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["decision_act_part", "decision_act"]).await?;
        let note = Table::alter().table("decision").drop_column("note").take();
        manager.alter_table(note).await
    }
}
