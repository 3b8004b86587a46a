//! What one of several servers does at a time, such as backups: until when one has it in hand.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let chore = table("chore")
            .col(integer("id").primary_key())
            .col(timestamp_with_time_zone("claimed_until"))
            .take();
        manager.create_table(chore).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["chore"]).await
    }
}
