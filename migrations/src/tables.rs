//! The parts that tables are made of, named by one rule.

use sea_orm_migration::prelude::*;

/// What migrations are written with.
pub(crate) mod prelude {
    pub(crate) use sea_orm_migration::{prelude::*, schema::*};

    pub(crate) use super::{
        create_index, drop_tables, forward_range, needs, part_of, primary_key, remembers, table,
        unique,
    };
}

/// A table that must not exist yet.
pub(crate) fn table(name: &'static str) -> TableCreateStatement {
    Table::create().table(name).take()
}

/// A primary key of several columns.
pub(crate) fn primary_key(columns: &[&'static str]) -> IndexCreateStatement {
    let mut key = Index::create().primary().take();
    for column in columns {
        key.col(*column);
    }
    key
}

/// A unique constraint. PostgreSQL names the constraint that was violated, SQLite the columns:
/// with the columns in its name, `store` can tell from either what was there already.
pub(crate) fn unique(table: &str, columns: &[&'static str]) -> IndexCreateStatement {
    let name = format!("unique_{table}_{}", columns.join("_"));
    let mut constraint = Index::create().unique().name(name).take();
    for column in columns {
        constraint.col(*column);
    }
    constraint
}

/// A column that points to the `id` of another table's row and goes with that row.
pub(crate) fn part_of(
    table: &'static str,
    column: &'static str,
    whole: &'static str,
) -> ForeignKeyCreateStatement {
    foreign_key(table, column, whole).on_delete(ForeignKeyAction::Cascade).take()
}

/// A column that points to the `id` of another table's row and keeps that row from being deleted.
/// It is checked at the end of the statement, so that both may go together with a common owner.
pub(crate) fn needs(
    table: &'static str,
    column: &'static str,
    needed: &'static str,
) -> ForeignKeyCreateStatement {
    foreign_key(table, column, needed).on_delete(ForeignKeyAction::NoAction).take()
}

/// A column that points to the `id` of another table's row and is emptied when that row goes.
pub(crate) fn remembers(
    table: &'static str,
    column: &'static str,
    remembered: &'static str,
) -> ForeignKeyCreateStatement {
    foreign_key(table, column, remembered).on_delete(ForeignKeyAction::SetNull).take()
}

fn foreign_key(
    table: &'static str,
    column: &'static str,
    target: &'static str,
) -> ForeignKeyCreateStatement {
    ForeignKey::create()
        .name(format!("foreign_{table}_{column}"))
        .from(table, column)
        .to(target, "id")
        .take()
}

/// Refuses ranges that are empty or run backwards.
pub(crate) fn forward_range() -> SimpleExpr {
    Expr::col("start_at").gte(0).and(Expr::col("end_at").gt(Expr::col("start_at")))
}

/// Creates an index.
pub(crate) async fn create_index(
    manager: &SchemaManager<'_>,
    table: &'static str,
    columns: &[&'static str],
) -> Result<(), DbErr> {
    let name = format!("index_{table}_{}", columns.join("_"));
    let mut index = Index::create().name(name).table(table).take();
    for column in columns {
        index.col(*column);
    }
    manager.create_index(index).await
}

/// Drops tables, those that others point to last.
pub(crate) async fn drop_tables(
    manager: &SchemaManager<'_>,
    tables: &[&'static str],
) -> Result<(), DbErr> {
    for table in tables {
        manager.drop_table(Table::drop().table(*table).take()).await?;
    }
    Ok(())
}
