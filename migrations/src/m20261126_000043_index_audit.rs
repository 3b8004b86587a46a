//! What the audit trail has of somebody, whichever chain it is in: told by indexes, for people's files and their
//! erasure.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// What somebody did, and what was done to their account.
const COLUMNS: [&str; 2] = ["user_id", "subject"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in COLUMNS {
            create_index(manager, "audit", &[column]).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in COLUMNS {
            let name = format!("index_audit_{column}");
            manager.drop_index(Index::drop().name(name).table("audit").to_owned()).await?;
        }
        Ok(())
    }
}
