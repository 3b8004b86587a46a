//! Runs SQL that no builder says more clearly, and reads rows. Both engines understand `$1`, `$2`
//! for parameters and the SQL in this crate.

use std::str::FromStr;

use domain::{Range, Span};
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Statement, TryGetableMany, Value};

use crate::{Db, Error, Tx, base::db::Connected};

fn statement<V: IntoIterator<Item = Value>>(db: &impl Db, sql: &str, values: V) -> Statement {
    Statement::from_sql_and_values(db.connection().get_database_backend(), sql, values)
}

/// All rows as structs, column by name.
pub(crate) async fn rows<T: FromQueryResult, V: IntoIterator<Item = Value>>(
    db: &impl Db,
    sql: &str,
    values: V,
) -> Result<Vec<T>, Error> {
    let rows = db.connection().query_all_raw(statement(db, sql, values)).await?;
    Ok(rows.iter().map(|row| T::from_query_result(row, "")).collect::<Result<_, _>>()?)
}

/// The first row as a struct, if there is one.
pub(crate) async fn row<T: FromQueryResult, V: IntoIterator<Item = Value>>(
    db: &impl Db,
    sql: &str,
    values: V,
) -> Result<Option<T>, Error> {
    let row = db.connection().query_one_raw(statement(db, sql, values)).await?;
    Ok(row.map(|row| T::from_query_result(&row, "")).transpose()?)
}

/// All rows as tuples, column by place.
pub(crate) async fn tuples<T: TryGetableMany, V: IntoIterator<Item = Value>>(
    db: &impl Db,
    sql: &str,
    values: V,
) -> Result<Vec<T>, Error> {
    let rows = db.connection().query_all_raw(statement(db, sql, values)).await?;
    Ok(rows.iter().map(T::try_get_many_by_index).collect::<Result<_, _>>().map_err(DbErr::from)?)
}

/// The first row as a tuple, if there is one.
pub(crate) async fn tuple<T: TryGetableMany, V: IntoIterator<Item = Value>>(
    db: &impl Db,
    sql: &str,
    values: V,
) -> Result<Option<T>, Error> {
    let row = try_tuple(db, sql, values).await?;
    Ok(row)
}

/// As [`tuple`], for callers that tell violated constraints apart.
pub(crate) async fn try_tuple<T: TryGetableMany, V: IntoIterator<Item = Value>>(
    db: &impl Db,
    sql: &str,
    values: V,
) -> Result<Option<T>, DbErr> {
    let row = db.connection().query_one_raw(statement(db, sql, values)).await?;
    Ok(row.as_ref().map(T::try_get_many_by_index).transpose()?)
}

/// Runs a statement that changes rows and says how many.
pub(crate) async fn execute<V: IntoIterator<Item = Value>>(
    tx: &Tx,
    sql: &str,
    values: V,
) -> Result<u64, Error> {
    Ok(tx.connection().execute_raw(statement(tx, sql, values)).await?.rows_affected())
}

/// A word of the domain that is stored by name.
pub(crate) fn word<T: FromStr<Err = domain::Error>>(name: &str) -> Result<T, Error> {
    name.parse().map_err(Error::unreadable)
}

/// A number that the domain knows to be smaller, or not negative.
pub(crate) fn number<T: TryFrom<i64>>(number: i64) -> Result<T, Error> {
    T::try_from(number).map_err(|_| Error::unreadable(format!("number {number}")))
}

pub(crate) fn range(start_at: i64, end_at: i64) -> Result<Range, Error> {
    Ok(Range::new(number(start_at)?, number(end_at)?))
}

pub(crate) fn span(start_at: i64, end_at: i64, label_id: i64) -> Result<Span, Error> {
    Ok(Span { range: range(start_at, end_at)?, label: domain::LabelId(label_id) })
}

/// The pattern, for `LIKE $1 ESCAPE '!'`, of whatever contains this text.
pub(crate) fn containing(text: &str) -> String {
    let escaped = text.replace('!', "!!").replace('%', "!%").replace('_', "!_");
    format!("%{escaped}%")
}

/// The parameters `$1` to `$n`, to stand in brackets after `IN`.
pub(crate) fn placeholders(n: usize) -> String {
    (1..=n).map(|number| format!("${number}")).collect::<Vec<_>>().join(", ")
}
