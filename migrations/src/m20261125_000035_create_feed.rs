//! The feed of changes: which work each revision of a project has moved.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        const KEY: [&str; 4] = ["project_id", "revision", "document_id", "member_id"];
        // A document or a member that goes leaves what it has moved: revisions have no gaps.
        let mut feed = table("feed");
        for column in KEY {
            feed.col(big_integer(column));
        }
        feed.primary_key(&mut primary_key(&KEY)).foreign_key(&mut part_of(
            "feed",
            "project_id",
            "project",
        ));
        manager.create_table(feed).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["feed"]).await
    }
}
