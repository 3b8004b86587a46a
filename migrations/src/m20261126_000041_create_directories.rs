//! What tells the server by SCIM who is there, and which sessions a provider vouches for.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // One for a provider. It stays without its token, as its people do.
        let directory = table("directory")
            .col(big_pk_auto("id"))
            .col(text("provider"))
            .col(text_null("token_hash"))
            .col(timestamp_with_time_zone("created_at"))
            .col(timestamp_with_time_zone_null("last_used_at"))
            .index(&mut unique("directory", &["provider"]))
            .index(&mut unique("directory", &["token_hash"]))
            .take();
        manager.create_table(directory).await?;

        // Whom it has removed stays as a row, by which they are known when they come back.
        let person = table("directory_user")
            .col(big_integer("user_id").primary_key())
            .col(big_integer("directory_id"))
            .col(text("user_name"))
            // As names are compared: in lower case.
            .col(text("user_name_key"))
            .col(text_null("external_id"))
            .col(text_null("display_name"))
            .col(text_null("formatted_name"))
            .col(text_null("given_name"))
            .col(text_null("family_name"))
            // What it says of whether they may sign in, and whether that alone has disabled the account.
            .col(boolean("is_active").default(true))
            .col(boolean("has_disabled").default(false))
            .col(timestamp_with_time_zone("created_at"))
            .col(timestamp_with_time_zone("changed_at"))
            .col(timestamp_with_time_zone_null("removed_at"))
            .foreign_key(&mut part_of("directory_user", "user_id", "user_account"))
            .foreign_key(&mut part_of("directory_user", "directory_id", "directory"))
            .index(&mut unique("directory_user", &["directory_id", "user_name_key"]))
            .take();
        manager.create_table(person).await?;
        create_index(manager, "directory_user", &["directory_id", "external_id"]).await?;

        let group = table("directory_group")
            .col(big_pk_auto("id"))
            .col(big_integer("directory_id"))
            .col(text("name"))
            .col(text("name_key"))
            .col(text_null("external_id"))
            .col(timestamp_with_time_zone("created_at"))
            .col(timestamp_with_time_zone("changed_at"))
            .foreign_key(&mut part_of("directory_group", "directory_id", "directory"))
            .index(&mut unique("directory_group", &["directory_id", "name_key"]))
            .take();
        manager.create_table(group).await?;

        let member = table("directory_member")
            .col(big_integer("group_id"))
            .col(big_integer("user_id"))
            .primary_key(&mut primary_key(&["group_id", "user_id"]))
            .foreign_key(&mut part_of("directory_member", "group_id", "directory_group"))
            .foreign_key(&mut part_of("directory_member", "user_id", "user_account"))
            .take();
        manager.create_table(member).await?;
        create_index(manager, "directory_member", &["user_id"]).await?;

        // What a directory calls whom a provider knows, where that is another claim than the subject.
        let called = text_null("external_id");
        manager.alter_table(Table::alter().table("identity").add_column(called).take()).await?;
        create_index(manager, "identity", &["issuer", "external_id"]).await?;

        // Older servers start sessions without it: nobody vouches for those.
        let vouched = boolean("has_factor_elsewhere").default(false).take();
        manager.alter_table(Table::alter().table("session").add_column(vouched).take()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let vouched = Table::alter().table("session").drop_column("has_factor_elsewhere").take();
        manager.alter_table(vouched).await?;
        let index =
            Index::drop().name("index_identity_issuer_external_id").table("identity").to_owned();
        manager.drop_index(index).await?;
        let called = Table::alter().table("identity").drop_column("external_id").take();
        manager.alter_table(called).await?;
        let tables = ["directory_member", "directory_group", "directory_user", "directory"];
        drop_tables(manager, &tables).await
    }
}
