//! The keys that people have given commands.

use sea_orm_migration::{prelude::*, schema::text};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // As JSON, a list of pairs: it is read and written as a whole, never searched.
        let keys =
            Table::alter().table("user_account").add_column(text("keys").default("[]")).take();
        manager.alter_table(keys).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("user_account").drop_column("keys").take()).await
    }
}
