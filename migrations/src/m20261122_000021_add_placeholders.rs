//! People whose work was imported and whom nobody has claimed to be, and invitations to do so.

use sea_orm_migration::{prelude::*, schema::boolean};

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let placeholder = boolean("is_placeholder").default(false).take();
        let people = Table::alter().table("user_account").add_column(placeholder).take();
        manager.alter_table(people).await?;

        // SQLite adds a column that points somewhere only in this form.
        let claims = ColumnDef::new("claims_member_id")
            .big_integer()
            .null()
            .extra("REFERENCES \"member\" (\"id\") ON DELETE CASCADE")
            .take();
        manager.alter_table(Table::alter().table("invitation").add_column(claims).take()).await?;
        create_index(manager, "invitation", &["claims_member_id"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let index = "index_invitation_claims_member_id";
        manager.drop_index(Index::drop().name(index).table("invitation").to_owned()).await?;
        for (altered, column) in
            [("invitation", "claims_member_id"), ("user_account", "is_placeholder")]
        {
            manager.alter_table(Table::alter().table(altered).drop_column(column).take()).await?;
        }
        Ok(())
    }
}
