//! Which database it is, so that its backups are told from those of others.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let lineage =
            table("lineage").col(integer("id").primary_key()).col(big_integer("value")).take();
        manager.create_table(lineage).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["lineage"]).await
    }
}
