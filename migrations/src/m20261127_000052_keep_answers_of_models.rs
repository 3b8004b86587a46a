//! What models answer about documents and about what they have marked in them.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // What is answered goes with the work on a document, of which it is a part.
        let mut of_work = ForeignKey::create()
            .name("foreign_model_choice_work")
            .from_tbl("model_choice")
            .to_tbl("model_work")
            .on_delete(ForeignKeyAction::Cascade)
            .take();
        for column in ["model_id", "document_id"] {
            of_work.from_col(column).to_col(column);
        }
        // The attribute says which label it is of: a document's, from 0 to 0, or that of the span.
        let chosen = table("model_choice")
            .col(big_integer("model_id"))
            .col(big_integer("document_id"))
            .col(big_integer("start_at"))
            .col(big_integer("end_at"))
            .col(big_integer("attribute_id"))
            .col(big_integer("number"))
            .primary_key(&mut primary_key(&[
                "model_id",
                "document_id",
                "start_at",
                "end_at",
                "attribute_id",
            ]))
            .foreign_key(&mut of_work)
            .foreign_key(&mut needs("model_choice", "attribute_id", "attribute"))
            .take();
        manager.create_table(chosen).await?;
        create_index(manager, "model_choice", &["attribute_id"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["model_choice"]).await
    }
}
