//! The versions of the guidelines, and the rounds of work that documents belong to.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// What projects from before this migration have: the one text that is known, as its present
/// version, and one round. When that text was written is known to the audit trail at best.
const VERSIONS_OF_BEFORE: &str =
    "INSERT INTO guideline_version (project_id, number, text, note, author_id, created_at)
     SELECT id, guidelines_version, guidelines, '', NULL,
            COALESCE(
                (SELECT MAX(audit.at) FROM audit
                 WHERE audit.project_id = project.id AND audit.action = 'save settings'
                 AND project.guidelines_version > 1),
                created_at)
     FROM project";

const ROUNDS_OF_BEFORE: &str =
    "INSERT INTO round (project_id, number, title, note, guidelines_version, started_at, started_by)
     SELECT id, 1, '', '', guidelines_version, created_at, NULL FROM project";

const DOCUMENTS_OF_BEFORE: &str = "UPDATE document SET round_id =
         (SELECT round.id FROM round WHERE round.project_id = document.project_id)";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let version = table("guideline_version")
            .col(big_pk_auto("id"))
            .col(big_integer("project_id"))
            .col(big_integer("number"))
            .col(text("text"))
            .col(text("note"))
            .col(big_integer_null("author_id"))
            .col(timestamp_with_time_zone("created_at"))
            .foreign_key(&mut part_of("guideline_version", "project_id", "project"))
            .foreign_key(&mut remembers("guideline_version", "author_id", "user_account"))
            .index(&mut unique("guideline_version", &["project_id", "number"]))
            .take();
        manager.create_table(version).await?;
        create_index(manager, "guideline_version", &["author_id"]).await?;

        let round = table("round")
            .col(big_pk_auto("id"))
            .col(big_integer("project_id"))
            .col(big_integer("number"))
            .col(text("title"))
            .col(text("note"))
            .col(big_integer("guidelines_version"))
            .col(timestamp_with_time_zone("started_at"))
            .col(big_integer_null("started_by"))
            .foreign_key(&mut part_of("round", "project_id", "project"))
            .foreign_key(&mut remembers("round", "started_by", "user_account"))
            .index(&mut unique("round", &["project_id", "number"]))
            .take();
        manager.create_table(round).await?;
        create_index(manager, "round", &["started_by"]).await?;

        // SQLite adds a column that points somewhere only if it may be empty, and only in this
        // form; that no document is without a round is checked with the rows.
        let points = ColumnDef::new("round_id")
            .big_integer()
            .null()
            .extra("REFERENCES \"round\" (\"id\")")
            .take();
        manager.alter_table(Table::alter().table("document").add_column(points).take()).await?;
        create_index(manager, "document", &["round_id"]).await?;

        let connection = manager.get_connection();
        for statement in [VERSIONS_OF_BEFORE, ROUNDS_OF_BEFORE, DOCUMENTS_OF_BEFORE] {
            connection.execute_unprepared(statement).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let index = Index::drop().name("index_document_round_id").table("document").to_owned();
        manager.drop_index(index).await?;
        manager
            .alter_table(Table::alter().table("document").drop_column("round_id").take())
            .await?;
        drop_tables(manager, &["round", "guideline_version"]).await
    }
}
