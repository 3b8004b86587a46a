//! The reviewers' passes over documents and their decisions.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let review = table("review")
            .col(big_pk_auto("id"))
            .col(big_integer("document_id"))
            .col(big_integer("member_id"))
            .col(text("state"))
            .col(big_integer("revision").default(0))
            .col(timestamp_with_time_zone_null("saved_at"))
            .col(timestamp_with_time_zone_null("submitted_at"))
            .foreign_key(&mut part_of("review", "document_id", "document"))
            .foreign_key(&mut part_of("review", "member_id", "member"))
            .index(&mut unique("review", &["document_id", "member_id"]))
            .take();
        manager.create_table(review).await?;
        create_index(manager, "review", &["member_id", "document_id"]).await?;

        let decision = table("decision")
            .col(big_pk_auto("id"))
            .col(big_integer("review_id"))
            .col(big_integer("start_at"))
            .col(big_integer("end_at"))
            .col(text("verdict"))
            .col(timestamp_with_time_zone("decided_at"))
            .foreign_key(&mut part_of("decision", "review_id", "review"))
            .index(&mut unique("decision", &["review_id", "start_at", "end_at"]))
            .check(forward_range())
            .take();
        manager.create_table(decision).await?;

        let decision_label = table("decision_label")
            .col(big_integer("decision_id"))
            .col(big_integer("label_id"))
            .primary_key(&mut primary_key(&["decision_id", "label_id"]))
            .foreign_key(&mut part_of("decision_label", "decision_id", "decision"))
            .foreign_key(&mut needs("decision_label", "label_id", "label"))
            .take();
        manager.create_table(decision_label).await?;
        create_index(manager, "decision_label", &["label_id"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["decision_label", "decision", "review"]).await
    }
}
