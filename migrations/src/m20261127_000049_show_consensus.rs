//! Whether reviewers see the consensus before they decide.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const SEEN: &str = "reviewers_see_consensus";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let seen = boolean(SEEN).default(false).take();
        manager.alter_table(Table::alter().table("project").add_column(seen).take()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("project").drop_column(SEEN).take()).await
    }
}
