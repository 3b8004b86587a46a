//! What is asked of any table by its name.

use sea_orm::{
    ConnectionTrait, DbBackend, Statement,
    sea_query::{Asterisk, Expr, ExprTrait, Func, Query, SelectStatement},
};

use crate::{Error, outside::catalog::Table};

/// How many rows it has.
pub(super) async fn count(connection: &impl ConnectionTrait, table: &str) -> Result<u64, Error> {
    let counted = Func::count(Expr::col(Asterisk));
    let select = Query::select().expr(counted).from(table.to_owned()).take();
    Ok(first(connection, &select).await?.unsigned_abs())
}

/// Whether it has any.
pub(super) async fn has_rows(
    connection: &impl ConnectionTrait,
    table: &str,
) -> Result<bool, Error> {
    let select = Query::select().expr(Expr::val(1)).from(table.to_owned()).limit(1).take();
    Ok(connection.query_one(&select).await?.is_some())
}

/// Takes all rows from it.
pub(super) async fn clear(connection: &impl ConnectionTrait, table: &str) -> Result<(), Error> {
    let delete = Query::delete().from_table(table.to_owned()).take();
    connection.execute(&delete).await?;
    Ok(())
}

/// The highest id that it has given out, also to a row that is gone: none is given twice, as a deleted
/// project's audit trail goes by its id. 0 if there was none, or if ids come from elsewhere.
pub(super) async fn highest_id(
    connection: &impl ConnectionTrait,
    table: &Table,
) -> Result<i64, Error> {
    let Some(id) = counted(table) else { return Ok(0) };
    let (engine, name) = (connection.get_database_backend(), table.name.as_str());
    // SQL: each engine counts in its own way.
    let given = if engine == DbBackend::Postgres {
        let sql = "SELECT pg_sequence_last_value(pg_get_serial_sequence($1, $2))";
        Statement::from_sql_and_values(engine, sql, [name.into(), id.into()])
    } else {
        let sql = "SELECT MAX(seq) FROM sqlite_sequence WHERE name = $1";
        Statement::from_sql_and_values(engine, sql, [name.into()])
    };
    let given = connection.query_one_raw(given).await?;
    let given: Option<i64> = given.map_or(Ok(None), |row| row.try_get_by_index(0))?;
    let most = Func::coalesce([Expr::col(id.to_owned()).max(), Expr::val(0_i64)]);
    let there = Query::select().expr(most).from(table.name.clone()).take();
    Ok(Ord::max(given.unwrap_or_default(), first(connection, &there).await?))
}

/// Has a table give out ids above this one, whatever it has given out before.
pub(super) async fn give_ids_above(
    connection: &impl ConnectionTrait,
    table: &Table,
    highest: i64,
) -> Result<(), Error> {
    let Some(id) = counted(table) else { return Ok(()) };
    let (engine, name) = (connection.get_database_backend(), table.name.as_str());
    // SQL: each engine counts in its own way.
    if engine == DbBackend::Postgres {
        let sql = "SELECT setval(pg_get_serial_sequence($1, $2), $3, $4)";
        // Without a last one, the next is the first.
        let (last, is_given) = (Ord::max(highest, 1), highest > 0);
        let values = [name.into(), id.into(), last.into(), is_given.into()];
        connection.query_one_raw(Statement::from_sql_and_values(engine, sql, values)).await?;
        return Ok(());
    }
    let forget = "DELETE FROM sqlite_sequence WHERE name = $1";
    let forget = Statement::from_sql_and_values(engine, forget, [name.into()]);
    connection.execute_raw(forget).await?;
    if highest > 0 {
        let sql = "INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)";
        let values = [name.into(), highest.into()];
        connection.execute_raw(Statement::from_sql_and_values(engine, sql, values)).await?;
    }
    Ok(())
}

/// The column of the ids that a table gives out.
fn counted(table: &Table) -> Option<&str> {
    let key = table.key();
    key.first().filter(|_| table.gives_ids).map(|column| column.name.as_str())
}

/// The number that a query of one row and column finds.
async fn first(connection: &impl ConnectionTrait, select: &SelectStatement) -> Result<i64, Error> {
    let row = connection.query_one(select).await?;
    Ok(row.map_or(Ok(0), |row| row.try_get_by_index(0))?)
}
