//! What is said of labels beyond their names, attributes with their choices, what was chosen on the
//! spans of either pass, and what a project offers as suggestions.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // `nests_anywhere`: if not, only within the labels that `label_nesting` names.
        for column in [
            text("group_name").default(""),
            text("description").default(""),
            boolean("crosses_own").default(true),
            boolean("crosses_others").default(true),
            boolean("nests_anywhere").default(true),
        ] {
            manager.alter_table(Table::alter().table("label").add_column(column).take()).await?;
        }
        for column in [
            boolean("suggests_agreed").default(false),
            boolean("shields_agreed").default(true),
            boolean("shields_imported").default(false),
        ] {
            manager.alter_table(Table::alter().table("project").add_column(column).take()).await?;
        }

        let nesting = table("label_nesting")
            .col(big_integer("label_id"))
            .col(big_integer("outer_id"))
            .primary_key(&mut primary_key(&["label_id", "outer_id"]))
            .foreign_key(&mut part_of("label_nesting", "label_id", "label"))
            .foreign_key(&mut part_of("label_nesting", "outer_id", "label"))
            .take();
        manager.create_table(nesting).await?;
        create_index(manager, "label_nesting", &["outer_id"]).await?;

        // Attributes are never deleted while their label is there: one that is no longer offered
        // stays where it was chosen.
        let attribute = table("attribute")
            .col(big_pk_auto("id"))
            .col(big_integer("label_id"))
            .col(text("name"))
            .col(boolean("required"))
            .col(boolean("offered").default(true))
            .foreign_key(&mut part_of("attribute", "label_id", "label"))
            .index(&mut unique("attribute", &["label_id", "name"]))
            .take();
        manager.create_table(attribute).await?;

        // A choice without a place is no longer offered.
        let choice = table("attribute_choice")
            .col(big_integer("attribute_id"))
            .col(big_integer("number"))
            .col(text("name"))
            .col(big_integer_null("place"))
            .primary_key(&mut primary_key(&["attribute_id", "number"]))
            .foreign_key(&mut part_of("attribute_choice", "attribute_id", "attribute"))
            .index(&mut unique("attribute_choice", &["attribute_id", "name"]))
            .take();
        manager.create_table(choice).await?;

        for (chosen, span, owner) in [
            ("span_choice", "span", "assignment_id"),
            ("repeat_span_choice", "repeat_span", "repeat_id"),
        ] {
            // What was chosen on a span goes with it.
            let mut of_span = ForeignKey::create()
                .name(format!("foreign_{chosen}_span"))
                .from_tbl(chosen)
                .to_tbl(span)
                .on_delete(ForeignKeyAction::Cascade)
                .take();
            for column in [owner, "start_at", "end_at", "label_id"] {
                of_span.from_col(column).to_col(column);
            }
            let chosen_table = table(chosen)
                .col(big_integer(owner))
                .col(big_integer("start_at"))
                .col(big_integer("end_at"))
                .col(big_integer("label_id"))
                .col(big_integer("attribute_id"))
                .col(big_integer("number"))
                .primary_key(&mut primary_key(&[
                    owner,
                    "start_at",
                    "end_at",
                    "label_id",
                    "attribute_id",
                ]))
                .foreign_key(&mut of_span)
                .foreign_key(&mut needs(chosen, "attribute_id", "attribute"))
                .take();
            manager.create_table(chosen_table).await?;
            create_index(manager, chosen, &["attribute_id"]).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let tables =
            ["repeat_span_choice", "span_choice", "attribute_choice", "attribute", "label_nesting"];
        drop_tables(manager, &tables).await?;
        for (altered, columns) in [
            ("project", ["suggests_agreed", "shields_agreed", "shields_imported"].as_slice()),
            (
                "label",
                &["group_name", "description", "crosses_own", "crosses_others", "nests_anywhere"],
            ),
        ] {
            for column in columns {
                let drop = Table::alter().table(altered).drop_column(*column).take();
                manager.alter_table(drop).await?;
            }
        }
        Ok(())
    }
}
