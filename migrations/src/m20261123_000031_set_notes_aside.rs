//! What is personal about a row of the audit trail stands beside its chain, where it can be erased. When a
//! webhook's secret was used last; and backups that were restored without the key, which are noted in the
//! trail by whoever has it.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// Finds the notes that can be erased.
const NOTES: &str = "CREATE INDEX index_audit_note ON audit (chain, place) WHERE note IS NOT NULL";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (altered, column) in [
            ("audit", text_null("note")),
            ("audit", blob_null("note_mac")),
            ("audit", blob_null("amended")),
            ("webhook", date_null("secret_used_on")),
        ] {
            manager.alter_table(Table::alter().table(altered).add_column(column).take()).await?;
        }
        manager.get_connection().execute_unprepared(NOTES).await?;
        let restored = table("restored_backup")
            .col(big_pk_auto("id"))
            .col(timestamp_with_time_zone("at"))
            .col(big_integer("sessions"))
            .col(big_integer("links"))
            .col(big_integer_null("tokens"))
            .take();
        manager.create_table(restored).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["restored_backup"]).await?;
        manager.get_connection().execute_unprepared("DROP INDEX index_audit_note").await?;
        for (altered, column) in [
            ("webhook", "secret_used_on"),
            ("audit", "amended"),
            ("audit", "note_mac"),
            ("audit", "note"),
        ] {
            manager.alter_table(Table::alter().table(altered).drop_column(column).take()).await?;
        }
        Ok(())
    }
}
