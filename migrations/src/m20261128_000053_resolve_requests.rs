//! Whether anything of a program's request is stored, where its commit failed and may be done or not.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let committed = boolean("has_committed").default(false).take();
        let add = Table::alter().table("answered_request").add_column(committed).take();
        manager.alter_table(add).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let forget = Table::alter().table("answered_request").drop_column("has_committed").take();
        manager.alter_table(forget).await
    }
}
