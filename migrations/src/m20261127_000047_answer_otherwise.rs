//! Questions that are answered by several choices, or by a number on a scale.

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const NUMBERS: [&str; 4] = ["least", "step", "steps", "decimals"];
const ENDS: [&str; 2] = ["least_means", "greatest_means"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // SQLite adds one column at a time.
        let kind = text("answers").default("one").take();
        let numbers = NUMBERS.map(|column| big_integer_null(column).take());
        let ends = ENDS.map(|column| text(column).default("").take());
        for column in [kind].into_iter().chain(numbers).chain(ends) {
            let add = Table::alter().table("attribute").add_column(column).take();
            manager.alter_table(add).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // Older servers would read these answers as choices: they go with what was asked.
        let otherwise = || {
            let of = Query::select()
                .column("id")
                .from("attribute")
                .and_where(Expr::col("answers").ne("one"))
                .take();
            Expr::col("attribute_id").in_subquery(of)
        };
        for chosen in
            ["span_choice", "repeat_span_choice", "document_choice", "repeat_document_choice"]
        {
            let delete = Query::delete().from_table(chosen).and_where(otherwise()).take();
            manager.execute(delete).await?;
        }
        let asked = Query::delete()
            .from_table("attribute")
            .and_where(Expr::col("answers").ne("one"))
            .take();
        manager.execute(asked).await?;
        for column in ENDS.into_iter().chain(NUMBERS).chain(["answers"]) {
            let forget = Table::alter().table("attribute").drop_column(column).take();
            manager.alter_table(forget).await?;
        }
        Ok(())
    }
}
