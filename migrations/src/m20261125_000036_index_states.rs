//! How many assignments each labeler has in which state, and how many are overdue: told by an index alone.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        create_index(manager, "assignment", &["member_id", "state", "due_at"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let name = "index_assignment_member_id_state_due_at";
        manager.drop_index(Index::drop().name(name).table("assignment").to_owned()).await
    }
}
