//! Projects with their members, invitations and label sets.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let project = table("project")
            .col(big_pk_auto("id"))
            .col(text("name"))
            .col(text("guidelines"))
            .col(big_integer("guidelines_version").default(1))
            .col(text("release_level"))
            .col(boolean("reviewers_see_names"))
            .col(big_integer("revision").default(0))
            .col(timestamp_with_time_zone_null("released_at"))
            .col(timestamp_with_time_zone("created_at"))
            .take();
        manager.create_table(project).await?;
        create_index(manager, "project", &["name"]).await?;

        // A removed member stays as a row: the work that hangs on it stays, too.
        let member = table("member")
            .col(big_pk_auto("id"))
            .col(big_integer("project_id"))
            .col(big_integer("user_id"))
            .col(text("role"))
            .col(timestamp_with_time_zone("created_at"))
            .col(timestamp_with_time_zone_null("removed_at"))
            .foreign_key(&mut part_of("member", "project_id", "project"))
            .foreign_key(&mut needs("member", "user_id", "user_account"))
            .index(&mut unique("member", &["project_id", "user_id"]))
            .take();
        manager.create_table(member).await?;
        create_index(manager, "member", &["user_id"]).await?;

        // Without a project it is the link that sets a new installation up.
        let invitation = table("invitation")
            .col(big_pk_auto("id"))
            .col(text("token_hash"))
            .col(big_integer_null("project_id"))
            .col(text_null("role"))
            .col(text_null("email"))
            .col(big_integer_null("created_by"))
            .col(timestamp_with_time_zone("created_at"))
            .col(timestamp_with_time_zone("expires_at"))
            .col(timestamp_with_time_zone_null("accepted_at"))
            .col(big_integer_null("accepted_by"))
            .foreign_key(&mut part_of("invitation", "project_id", "project"))
            .foreign_key(&mut remembers("invitation", "created_by", "user_account"))
            .foreign_key(&mut remembers("invitation", "accepted_by", "user_account"))
            .index(&mut unique("invitation", &["token_hash"]))
            .take();
        manager.create_table(invitation).await?;
        create_index(manager, "invitation", &["project_id"]).await?;
        create_index(manager, "invitation", &["created_by"]).await?;
        create_index(manager, "invitation", &["accepted_by"]).await?;

        let label = table("label")
            .col(big_pk_auto("id"))
            .col(big_integer("project_id"))
            .col(text("name"))
            .col(integer("colour"))
            .col(text_null("hotkey"))
            .col(big_integer("place"))
            .foreign_key(&mut part_of("label", "project_id", "project"))
            .index(&mut unique("label", &["project_id", "name"]))
            .index(&mut unique("label", &["project_id", "hotkey"]))
            .take();
        manager.create_table(label).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["label", "invitation", "member", "project"]).await
    }
}
