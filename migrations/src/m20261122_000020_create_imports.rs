//! What was imported at once, and what it brought, so that it can be undone.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // Files, what came of them, and the labels and members it made: as JSON, to be told.
        let import = table("import")
            .col(big_pk_auto("id"))
            .col(big_integer("project_id"))
            .col(big_integer_null("made_by"))
            .col(timestamp_with_time_zone("made_at"))
            .col(timestamp_with_time_zone_null("ended_at"))
            .col(text("state"))
            .col(text("marks"))
            .col(text("files"))
            .col(text_null("summary"))
            .col(text_null("made"))
            .col(text_null("error"))
            .foreign_key(&mut part_of("import", "project_id", "project"))
            .foreign_key(&mut remembers("import", "made_by", "user_account"))
            .take();
        manager.create_table(import).await?;
        create_index(manager, "import", &["project_id"]).await?;
        create_index(manager, "import", &["made_by"]).await?;

        let document = table("import_document")
            .col(big_integer("document_id").primary_key())
            .col(big_integer("import_id"))
            .foreign_key(&mut part_of("import_document", "document_id", "document"))
            .foreign_key(&mut part_of("import_document", "import_id", "import"))
            .take();
        manager.create_table(document).await?;
        create_index(manager, "import_document", &["import_id"]).await?;

        // A copy that got work, the revision that this made, and whether the copy was there before.
        let copy = table("import_copy")
            .col(big_integer("assignment_id").primary_key())
            .col(big_integer("import_id"))
            .col(big_integer("revision"))
            .col(boolean("was_there"))
            .foreign_key(&mut part_of("import_copy", "assignment_id", "assignment"))
            .foreign_key(&mut part_of("import_copy", "import_id", "import"))
            .take();
        manager.create_table(copy).await?;
        create_index(manager, "import_copy", &["import_id"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["import_copy", "import_document", "import"]).await
    }
}
