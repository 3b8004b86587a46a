//! The answers of a locked gold standard.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // As JSON, like what stands beside them: read as a whole, never searched.
        let answers = text("answers").default("[]").take();
        let add = Table::alter().table("gold_version_document").add_column(answers).take();
        manager.alter_table(add).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let forget = Table::alter().table("gold_version_document").drop_column("answers").take();
        manager.alter_table(forget).await
    }
}
