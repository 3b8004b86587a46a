//! What is asked of documents: a label that stands for the document, which has attributes as other labels do,
//! and what was chosen of these in either pass.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let stands_for_it = boolean("is_document").default(false).take();
        manager.alter_table(Table::alter().table("label").add_column(stands_for_it).take()).await?;
        for (chosen, owner, pass) in [
            ("document_choice", "assignment_id", "assignment"),
            ("repeat_document_choice", "repeat_id", "repeat"),
        ] {
            let chosen_table = table(chosen)
                .col(big_integer(owner))
                .col(big_integer("attribute_id"))
                .col(big_integer("number"))
                .primary_key(&mut primary_key(&[owner, "attribute_id"]))
                .foreign_key(&mut part_of(chosen, owner, pass))
                .foreign_key(&mut needs(chosen, "attribute_id", "attribute"))
                .take();
            manager.create_table(chosen_table).await?;
            create_index(manager, chosen, &["attribute_id"]).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["repeat_document_choice", "document_choice"]).await?;
        // What was asked goes with what it was asked of: to older servers it would be a label without a name.
        let asked =
            Query::delete().from_table("label").and_where(Expr::col("is_document").eq(true)).take();
        manager.execute(asked).await?;
        let forget = Table::alter().table("label").drop_column("is_document").take();
        manager.alter_table(forget).await
    }
}
