//! What is counted of labelers with others to be shown to them, in batches; and of what was released
//! before there was a floor, nothing any more.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let own_pair = table("own_pair")
            .col(big_integer("member_id"))
            .col(big_integer("other_id"))
            .col(big_integer("document_id"))
            .primary_key(&mut primary_key(&["member_id", "other_id", "document_id"]))
            .foreign_key(&mut part_of("own_pair", "member_id", "member"))
            .foreign_key(&mut part_of("own_pair", "other_id", "member"))
            .foreign_key(&mut part_of("own_pair", "document_id", "document"))
            .take();
        manager.create_table(own_pair).await?;
        create_index(manager, "own_pair", &["other_id"]).await?;
        create_index(manager, "own_pair", &["document_id"]).await?;

        let own_count = table("own_count")
            .col(big_integer("member_id"))
            .col(text("counts"))
            .primary_key(&mut primary_key(&["member_id"]))
            .foreign_key(&mut part_of("own_count", "member_id", "member"))
            .take();
        manager.create_table(own_count).await?;

        // It is not known of how many documents and peers these are: the next release counts them.
        let nothing = "UPDATE own_release SET payload = '{\"peers\":null,\"reviewers\":null}'";
        manager.get_connection().execute_unprepared(nothing).await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["own_count", "own_pair"]).await
    }
}
