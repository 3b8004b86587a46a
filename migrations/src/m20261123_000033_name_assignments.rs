//! Tables and columns take the words of the product: assignments, overlap, positions of gold. Indexes keep the
//! names that they have, which nothing reads.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const TABLES: &[(&str, &str)] = &[
    ("copy_flag", "assignment_flag"),
    ("copy_note", "assignment_note"),
    ("copy_version", "assignment_version"),
    ("import_copy", "import_assignment"),
];

/// Columns: the table, the former name, the name.
const COLUMNS: &[(&str, &str, &str)] = &[
    ("document", "copies", "overlap"),
    ("pool", "copies", "overlap"),
    ("import", "marks", "import_as"),
    ("gold_version_document", "marks", "positions"),
];

async fn rename_table(
    manager: &SchemaManager<'_>,
    from: &'static str,
    to: &'static str,
) -> Result<(), DbErr> {
    manager.rename_table(Table::rename().table(from, to).take()).await
}

async fn rename_column(
    manager: &SchemaManager<'_>,
    table: &'static str,
    from: &'static str,
    to: &'static str,
) -> Result<(), DbErr> {
    manager.alter_table(Table::alter().table(table).rename_column(from, to).take()).await
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (former, name) in TABLES {
            rename_table(manager, former, name).await?;
        }
        for (table, former, name) in COLUMNS {
            rename_column(manager, table, former, name).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (former, name) in TABLES {
            rename_table(manager, name, former).await?;
        }
        for (table, former, name) in COLUMNS {
            rename_column(manager, table, name, former).await?;
        }
        Ok(())
    }
}
