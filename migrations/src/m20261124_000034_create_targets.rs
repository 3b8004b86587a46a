//! Targets for agreement: at most one for each project.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let target = table("target")
            .col(big_integer("project_id").primary_key())
            .col(text("measure"))
            .col(text("policy"))
            .col(text("basis"))
            .col(double("at_least"))
            .foreign_key(&mut part_of("target", "project_id", "project"))
            .take();
        manager.create_table(target).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["target"]).await
    }
}
