//! Mail that was or is to be sent, and who does not want which.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // To an account, or to an address that is invited. The key stands for what the mail is about: of that
        // there is one. The link is sealed, and is there until the mail has ended; without `next_at` it has.
        let mail = table("mail")
            .col(big_pk_auto("id"))
            .col(text("kind"))
            .col(big_integer_null("user_id"))
            .col(text_null("address"))
            .col(big_integer_null("project_id"))
            .col(text("key"))
            .col(text_null("link"))
            .col(timestamp_with_time_zone("created_at"))
            .col(integer("attempts").default(0))
            .col(timestamp_with_time_zone_null("next_at"))
            .col(timestamp_with_time_zone_null("ended_at"))
            .col(text_null("outcome"))
            .col(text_null("problem"))
            .foreign_key(&mut part_of("mail", "user_id", "user_account"))
            .foreign_key(&mut part_of("mail", "project_id", "project"))
            .index(&mut unique("mail", &["key"]))
            .take();
        manager.create_table(mail).await?;
        create_index(manager, "mail", &["user_id"]).await?;
        create_index(manager, "mail", &["project_id"]).await?;
        create_index(manager, "mail", &["next_at"]).await?;

        let refused = table("mail_refusal")
            .col(big_integer("user_id"))
            .col(text("kind"))
            .primary_key(&mut primary_key(&["user_id", "kind"]))
            .foreign_key(&mut part_of("mail_refusal", "user_id", "user_account"))
            .take();
        manager.create_table(refused).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["mail_refusal", "mail"]).await
    }
}
