//! What people say to each other about the work: flags and skips, notes on copies that come back,
//! comments on places in documents, reasons for decisions, and who reviews a second time.

use crate::tables::prelude::*;

/// Those that others point to last.
const TABLES: &[&str] =
    &["second_review", "second_review_act", "comment", "comment_thread", "copy_note", "copy_flag"];

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // One a line; none for the usual ones.
        let reasons = text_null("decision_reasons");
        manager.alter_table(Table::alter().table("project").add_column(reasons).take()).await?;

        // Of a person and a document, not of the copy: somebody who has skipped a document is not
        // given it again once the copy was taken from them.
        let flag = table("copy_flag")
            .col(big_integer("document_id"))
            .col(big_integer("member_id"))
            .col(text("kind"))
            .col(text("reason"))
            .col(text("note"))
            .col(timestamp_with_time_zone("raised_at"))
            .primary_key(&mut primary_key(&["document_id", "member_id", "kind"]))
            .foreign_key(&mut part_of("copy_flag", "document_id", "document"))
            .foreign_key(&mut part_of("copy_flag", "member_id", "member"))
            .take();
        manager.create_table(flag).await?;
        create_index(manager, "copy_flag", &["member_id"]).await?;

        let note = table("copy_note")
            .col(big_integer("document_id"))
            .col(big_integer("member_id"))
            .col(text("note"))
            .col(big_integer_null("written_by"))
            .col(text("role"))
            .col(timestamp_with_time_zone("written_at"))
            .primary_key(&mut primary_key(&["document_id", "member_id"]))
            .foreign_key(&mut part_of("copy_note", "document_id", "document"))
            .foreign_key(&mut part_of("copy_note", "member_id", "member"))
            .foreign_key(&mut remembers("copy_note", "written_by", "user_account"))
            .take();
        manager.create_table(note).await?;
        create_index(manager, "copy_note", &["member_id"]).await?;
        create_index(manager, "copy_note", &["written_by"]).await?;

        // Of a person and a document, so that words outlive a copy that is handed over.
        let thread = table("comment_thread")
            .col(big_pk_auto("id"))
            .col(big_integer("document_id"))
            .col(big_integer("member_id"))
            .col(big_integer_null("start_at"))
            .col(big_integer_null("end_at"))
            .col(timestamp_with_time_zone("moved_at"))
            .col(timestamp_with_time_zone_null("settled_at"))
            .foreign_key(&mut part_of("comment_thread", "document_id", "document"))
            .foreign_key(&mut part_of("comment_thread", "member_id", "member"))
            .take();
        manager.create_table(thread).await?;
        create_index(manager, "comment_thread", &["document_id"]).await?;
        create_index(manager, "comment_thread", &["member_id"]).await?;

        let comment = table("comment")
            .col(big_pk_auto("id"))
            .col(big_integer("thread_id"))
            .col(big_integer("member_id"))
            .col(text("words"))
            .col(timestamp_with_time_zone("written_at"))
            .foreign_key(&mut part_of("comment", "thread_id", "comment_thread"))
            .foreign_key(&mut part_of("comment", "member_id", "member"))
            .take();
        manager.create_table(comment).await?;
        create_index(manager, "comment", &["thread_id"]).await?;
        create_index(manager, "comment", &["member_id"]).await?;

        let act = table("second_review_act")
            .col(big_pk_auto("id"))
            .col(big_integer("project_id"))
            .col(big_integer("member_id"))
            .col(big_integer("percent"))
            .col(text("seed"))
            .col(big_integer_null("made_by"))
            .col(timestamp_with_time_zone("made_at"))
            .col(timestamp_with_time_zone_null("undone_at"))
            .foreign_key(&mut part_of("second_review_act", "project_id", "project"))
            .foreign_key(&mut part_of("second_review_act", "member_id", "member"))
            .foreign_key(&mut remembers("second_review_act", "made_by", "user_account"))
            .take();
        manager.create_table(act).await?;
        for column in ["project_id", "member_id", "made_by"] {
            create_index(manager, "second_review_act", &[column]).await?;
        }
        let part = table("second_review")
            .col(big_integer("act_id"))
            .col(big_integer("document_id"))
            .primary_key(&mut primary_key(&["act_id", "document_id"]))
            .foreign_key(&mut part_of("second_review", "act_id", "second_review_act"))
            .foreign_key(&mut part_of("second_review", "document_id", "document"))
            .take();
        manager.create_table(part).await?;
        create_index(manager, "second_review", &["document_id"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, TABLES).await?;
        let reasons = Table::alter().table("project").drop_column("decision_reasons").take();
        manager.alter_table(reasons).await
    }
}
