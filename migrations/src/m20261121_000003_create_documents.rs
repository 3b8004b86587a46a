//! Documents, the labelers' copies of them, and the spans on these.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // `copies` is how many labelers get one; null means everyone, also those who join later.
        let document = table("document")
            .col(big_pk_auto("id"))
            .col(big_integer("project_id"))
            .col(text_null("external_id"))
            .col(text("name"))
            .col(text("text"))
            .col(big_integer("characters"))
            .col(text("sha256"))
            .col(big_integer_null("copies"))
            .col(timestamp_with_time_zone("created_at"))
            .foreign_key(&mut part_of("document", "project_id", "project"))
            .index(&mut unique("document", &["project_id", "external_id"]))
            .take();
        manager.create_table(document).await?;
        create_index(manager, "document", &["project_id", "id"]).await?;

        // Not `start` and `end`: the second is reserved.
        let suggestion = table("suggestion")
            .col(big_pk_auto("id"))
            .col(big_integer("document_id"))
            .col(big_integer("start_at"))
            .col(big_integer("end_at"))
            .col(big_integer("label_id"))
            .foreign_key(&mut part_of("suggestion", "document_id", "document"))
            .foreign_key(&mut needs("suggestion", "label_id", "label"))
            .index(&mut unique("suggestion", &["document_id", "start_at", "end_at", "label_id"]))
            .check(forward_range())
            .take();
        manager.create_table(suggestion).await?;
        create_index(manager, "suggestion", &["label_id"]).await?;

        let assignment = table("assignment")
            .col(big_pk_auto("id"))
            .col(big_integer("document_id"))
            .col(big_integer("member_id"))
            .col(text("state"))
            .col(big_integer("revision").default(0))
            .col(timestamp_with_time_zone_null("saved_at"))
            .col(timestamp_with_time_zone_null("submitted_at"))
            .foreign_key(&mut part_of("assignment", "document_id", "document"))
            .foreign_key(&mut part_of("assignment", "member_id", "member"))
            .index(&mut unique("assignment", &["document_id", "member_id"]))
            .take();
        manager.create_table(assignment).await?;
        create_index(manager, "assignment", &["member_id", "document_id"]).await?;

        let span = table("span")
            .col(big_pk_auto("id"))
            .col(big_integer("assignment_id"))
            .col(big_integer("start_at"))
            .col(big_integer("end_at"))
            .col(big_integer("label_id"))
            .foreign_key(&mut part_of("span", "assignment_id", "assignment"))
            .foreign_key(&mut needs("span", "label_id", "label"))
            .index(&mut unique("span", &["assignment_id", "start_at", "end_at", "label_id"]))
            .check(forward_range())
            .take();
        manager.create_table(span).await?;
        create_index(manager, "span", &["label_id"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["span", "assignment", "suggestion", "document"]).await
    }
}
