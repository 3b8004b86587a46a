//! What reviewers answer: of attributes of the labels that they decide on, and of what is asked of documents.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // What was answered on a label that was decided on goes with it.
        let mut of_label = ForeignKey::create()
            .name("foreign_decision_answer_label")
            .from_tbl("decision_answer")
            .to_tbl("decision_label")
            .from_col("decision_id")
            .to_col("decision_id")
            .from_col("label_id")
            .to_col("label_id")
            .on_delete(ForeignKeyAction::Cascade)
            .take();
        let decision_answer = table("decision_answer")
            .col(big_integer("decision_id"))
            .col(big_integer("label_id"))
            .col(big_integer("attribute_id"))
            .col(big_integer("number"))
            .primary_key(&mut primary_key(&["decision_id", "label_id", "attribute_id"]))
            .foreign_key(&mut of_label)
            .foreign_key(&mut needs("decision_answer", "attribute_id", "attribute"))
            .take();
        manager.create_table(decision_answer).await?;
        create_index(manager, "decision_answer", &["attribute_id"]).await?;

        let review_answer = table("review_answer")
            .col(big_integer("review_id"))
            .col(big_integer("attribute_id"))
            .col(big_integer("number"))
            .col(timestamp_with_time_zone("decided_at"))
            .primary_key(&mut primary_key(&["review_id", "attribute_id"]))
            .foreign_key(&mut part_of("review_answer", "review_id", "review"))
            .foreign_key(&mut needs("review_answer", "attribute_id", "attribute"))
            .take();
        manager.create_table(review_answer).await?;
        create_index(manager, "review_answer", &["attribute_id"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["review_answer", "decision_answer"]).await
    }
}
