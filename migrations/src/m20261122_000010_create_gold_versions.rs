//! Gold standards that were locked: what held in each document at that time, and why.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let version = table("gold_version")
            .col(big_pk_auto("id"))
            .col(big_integer("project_id"))
            .col(big_integer("number"))
            .col(text("name"))
            .col(text("note"))
            .col(timestamp_with_time_zone("locked_at"))
            .col(big_integer_null("locked_by"))
            .col(big_integer("revision"))
            .col(big_integer("guidelines_version"))
            .col(big_integer("documents"))
            .col(big_integer("positions"))
            .col(big_integer("open"))
            .col(text("sha256"))
            .foreign_key(&mut part_of("gold_version", "project_id", "project"))
            .foreign_key(&mut remembers("gold_version", "locked_by", "user_account"))
            .index(&mut unique("gold_version", &["project_id", "number"]))
            .index(&mut unique("gold_version", &["project_id", "name"]))
            .take();
        manager.create_table(version).await?;
        create_index(manager, "gold_version", &["locked_by"]).await?;

        // The marks as JSON: to be read, exported and compared as a whole, never to be searched.
        // A document in a version stays, so that the version can always be exported in full.
        let document = table("gold_version_document")
            .col(big_integer("version_id"))
            .col(big_integer("document_id"))
            .col(text("name"))
            .col(text("marks"))
            .primary_key(&mut primary_key(&["version_id", "document_id"]))
            .foreign_key(&mut part_of("gold_version_document", "version_id", "gold_version"))
            .foreign_key(&mut needs("gold_version_document", "document_id", "document"))
            .take();
        manager.create_table(document).await?;
        create_index(manager, "gold_version_document", &["document_id"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["gold_version_document", "gold_version"]).await
    }
}
