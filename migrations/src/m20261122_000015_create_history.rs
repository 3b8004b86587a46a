//! What every save of a copy changed, so that earlier versions can be rebuilt; how long people were
//! at their work, in whole minutes.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // The delta is JSON: to be walked back as a whole, never to be searched.
        let version = table("copy_version")
            .col(big_pk_auto("id"))
            .col(big_integer("assignment_id"))
            .col(big_integer_null("repeat_id"))
            .col(big_integer("revision"))
            .col(timestamp_with_time_zone("made_at"))
            .col(big_integer_null("made_by"))
            .col(text("kind"))
            .col(big_integer_null("restored"))
            .col(text("state"))
            .col(big_integer("removed"))
            .col(big_integer("added"))
            .col(text("delta"))
            .foreign_key(&mut part_of("copy_version", "assignment_id", "assignment"))
            .foreign_key(&mut part_of("copy_version", "repeat_id", "repeat"))
            .foreign_key(&mut remembers("copy_version", "made_by", "user_account"))
            .index(&mut unique("copy_version", &["assignment_id", "revision"]))
            .take();
        manager.create_table(version).await?;
        create_index(manager, "copy_version", &["repeat_id"]).await?;
        create_index(manager, "copy_version", &["made_by"]).await?;

        // Labels that were deleted: a version may still have them. Their ids are never given again.
        let former = table("former_label")
            .col(big_integer("id").primary_key())
            .col(big_integer("project_id"))
            .col(text("name"))
            .col(integer("colour"))
            .foreign_key(&mut part_of("former_label", "project_id", "project"))
            .take();
        manager.create_table(former).await?;
        create_index(manager, "former_label", &["project_id"]).await?;

        // Days are counted from 1970-01-01, and so are the minutes of the last report.
        let focus = table("focus_day")
            .col(big_pk_auto("id"))
            .col(big_integer("member_id"))
            .col(big_integer_null("assignment_id"))
            .col(big_integer_null("repeat_id"))
            .col(big_integer_null("review_id"))
            .col(big_integer("day"))
            .col(big_integer("minutes"))
            .col(big_integer("last_minute"))
            .foreign_key(&mut part_of("focus_day", "member_id", "member"))
            .foreign_key(&mut part_of("focus_day", "assignment_id", "assignment"))
            .foreign_key(&mut part_of("focus_day", "repeat_id", "repeat"))
            .foreign_key(&mut part_of("focus_day", "review_id", "review"))
            .take();
        manager.create_table(focus).await?;
        for column in ["member_id", "assignment_id", "repeat_id", "review_id"] {
            create_index(manager, "focus_day", &[column]).await?;
        }
        let measured = boolean("measures_time").default(true).take();
        manager.alter_table(Table::alter().table("project").add_column(measured).take()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["focus_day", "former_label", "copy_version"]).await?;
        manager
            .alter_table(Table::alter().table("project").drop_column("measures_time").take())
            .await
    }
}
