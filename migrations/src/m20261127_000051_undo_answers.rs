//! What reviewers answered about documents at once, so that it can be taken back as decisions can.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // A document is no range of its text, so that these are no parts of an act like others.
        let answer = table("decision_act_answer")
            .col(big_integer("act_id"))
            .col(big_integer("document_id"))
            .col(big_integer("attribute_id"))
            .col(big_integer_null("before_number"))
            .col(timestamp_with_time_zone_null("before_at"))
            .col(big_integer_null("after_number"))
            .col(timestamp_with_time_zone_null("after_at"))
            .col(boolean("left_alone").default(false))
            .primary_key(&mut primary_key(&["act_id", "document_id", "attribute_id"]))
            .foreign_key(&mut part_of("decision_act_answer", "act_id", "decision_act"))
            .foreign_key(&mut part_of("decision_act_answer", "document_id", "document"))
            .foreign_key(&mut part_of("decision_act_answer", "attribute_id", "attribute"))
            .take();
        manager.create_table(answer).await?;
        create_index(manager, "decision_act_answer", &["document_id"]).await?;
        create_index(manager, "decision_act_answer", &["attribute_id"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["decision_act_answer"]).await
    }
}
