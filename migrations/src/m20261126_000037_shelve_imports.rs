//! Imports in pieces: what waits to be written, what was decided of it, and when whoever carries an import
//! out was last at it.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // SQLite adds a column at a time.
        for column in [text_null("decision"), timestamp_with_time_zone_null("alive_at")] {
            manager.alter_table(Table::alter().table("import").add_column(column).take()).await?;
        }
        // A place is that of a document among those of the import. The content comes last: what stands
        // before it is read without it.
        let waiting = table("shelf")
            .col(big_pk_auto("id"))
            .col(big_integer("import_id"))
            .col(big_integer("place"))
            .col(big_integer("weight"))
            .col(text("content"))
            .foreign_key(&mut part_of("shelf", "import_id", "import"))
            .take();
        manager.create_table(waiting).await?;
        create_index(manager, "shelf", &["import_id", "place"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["shelf"]).await?;
        for column in ["decision", "alive_at"] {
            manager.alter_table(Table::alter().table("import").drop_column(column).take()).await?;
        }
        Ok(())
    }
}
