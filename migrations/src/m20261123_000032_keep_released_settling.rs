//! Whether a thread of comments was settled when agreement was released last: what a labeler is told of it
//! until the next release, whatever becomes of the thread meanwhile.

use sea_orm_migration::{prelude::*, schema::timestamp_with_time_zone_null};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// Of threads that were settled before the last release and opened after it, nobody knows any more.
const RELEASED: &str = "UPDATE comment_thread SET released_settled_at = settled_at
    WHERE settled_at <= (
        SELECT project.released_at FROM project JOIN document ON document.project_id = project.id
        WHERE document.id = comment_thread.document_id)";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = timestamp_with_time_zone_null("released_settled_at");
        manager
            .alter_table(Table::alter().table("comment_thread").add_column(column).take())
            .await?;
        manager.get_connection().execute_unprepared(RELEASED).await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = &mut Table::alter();
        manager
            .alter_table(table.table("comment_thread").drop_column("released_settled_at").take())
            .await
    }
}
