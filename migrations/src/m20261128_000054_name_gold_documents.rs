//! Locked gold standards whose lines have the documents' own ids. Those that were locked before keep the
//! lines of which they have the hash, with the numbers of this database.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let own_ids = boolean("has_own_ids").default(false).take();
        let add = Table::alter().table("gold_version").add_column(own_ids).take();
        manager.alter_table(add).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let forget = Table::alter().table("gold_version").drop_column("has_own_ids").take();
        manager.alter_table(forget).await
    }
}
