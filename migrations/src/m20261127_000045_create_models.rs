//! Models, what they have marked, and the tokens that they come with.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // `revision` moves with everything that the model marks; nothing else of the project does.
        let model = table("model")
            .col(big_pk_auto("id"))
            .col(big_integer("project_id"))
            .col(text("name"))
            .col(text("version"))
            .col(text("prompt_hash").default(""))
            .col(date_null("made_on"))
            .col(big_integer("revision").default(0))
            .col(timestamp_with_time_zone("created_at"))
            .foreign_key(&mut part_of("model", "project_id", "project"))
            .index(&mut unique("model", &["project_id", "name", "version"]))
            .take();
        manager.create_table(model).await?;

        let work = table("model_work")
            .col(big_integer("model_id"))
            .col(big_integer("document_id"))
            .col(timestamp_with_time_zone("saved_at"))
            // What brought it as it is, unless a program has.
            .col(big_integer_null("import_id"))
            .primary_key(&mut primary_key(&["model_id", "document_id"]))
            .foreign_key(&mut part_of("model_work", "model_id", "model"))
            .foreign_key(&mut part_of("model_work", "document_id", "document"))
            .foreign_key(&mut remembers("model_work", "import_id", "import"))
            .take();
        manager.create_table(work).await?;
        create_index(manager, "model_work", &["document_id"]).await?;
        create_index(manager, "model_work", &["import_id"]).await?;

        // What is marked in a document goes with the work on it.
        let mut of_work = ForeignKey::create()
            .name("foreign_model_span_work")
            .from_tbl("model_span")
            .to_tbl("model_work")
            .on_delete(ForeignKeyAction::Cascade)
            .take();
        for column in ["model_id", "document_id"] {
            of_work.from_col(column).to_col(column);
        }
        let span = table("model_span")
            .col(big_integer("model_id"))
            .col(big_integer("document_id"))
            .col(big_integer("start_at"))
            .col(big_integer("end_at"))
            .col(big_integer("label_id"))
            .primary_key(&mut primary_key(&[
                "model_id",
                "document_id",
                "start_at",
                "end_at",
                "label_id",
            ]))
            .foreign_key(&mut of_work)
            .foreign_key(&mut needs("model_span", "label_id", "label"))
            .check(forward_range())
            .take();
        manager.create_table(span).await?;
        create_index(manager, "model_span", &["label_id"]).await?;

        // SQLite adds no constraint to a table that is there, but a column with one. Older servers make
        // tokens without.
        let of_model = big_integer_null("model_id")
            .extra("REFERENCES model (id) ON DELETE CASCADE")
            .to_owned();
        manager.alter_table(Table::alter().table("api_token").add_column(of_model).take()).await?;
        create_index(manager, "api_token", &["model_id"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // Older servers cannot read what these are good for.
        let of_models = Query::delete()
            .from_table("api_token")
            .and_where(Expr::col("model_id").is_not_null())
            .take();
        manager.execute(of_models).await?;
        let index = Index::drop().name("index_api_token_model_id").table("api_token").to_owned();
        manager.drop_index(index).await?;
        manager
            .alter_table(Table::alter().table("api_token").drop_column("model_id").take())
            .await?;
        drop_tables(manager, &["model_span", "model_work", "model"]).await
    }
}
