//! Administrators, accounts that are disabled or made anonymous, and projects that are archived.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// An installation of before is administered by its oldest account that somebody signs in with.
const FIRST: &str = "UPDATE user_account SET is_administrator = true
    WHERE id = (SELECT MIN(id) FROM user_account WHERE NOT is_placeholder)";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in [
            boolean("is_administrator").default(false).take(),
            timestamp_with_time_zone_null("disabled_at"),
            timestamp_with_time_zone_null("erased_at"),
        ] {
            let people = Table::alter().table("user_account").add_column(column).take();
            manager.alter_table(people).await?;
        }
        let archived = timestamp_with_time_zone_null("archived_at");
        manager.alter_table(Table::alter().table("project").add_column(archived).take()).await?;
        manager.get_connection().execute_unprepared(FIRST).await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (altered, column) in [
            ("project", "archived_at"),
            ("user_account", "erased_at"),
            ("user_account", "disabled_at"),
            ("user_account", "is_administrator"),
        ] {
            manager.alter_table(Table::alter().table(altered).drop_column(column).take()).await?;
        }
        Ok(())
    }
}
