//! Rows in every table that there is, found from the schema: a table or column that comes later has some, too.

use chrono::{DateTime, NaiveDate};
use sea_orm::{
    ConnectionTrait, Value,
    sea_query::{Expr, Query},
};

use crate::{
    Store,
    base::db::Connected,
    outside::catalog::{self, Column, Kind},
};

/// How many rows each table gets.
pub const ROWS: i64 = 3;

/// Fills every table of an empty database with rows that name each other, of values that are easily changed on
/// their way: long numbers, many digits, strange letters. Every second row has nothing where nothing may be.
pub async fn fill_every_table(store: &Store) {
    let tx = store.begin().await.expect("a transaction");
    let tables = catalog::tables(tx.connection()).await.expect("the schema can be read");
    for table in tables {
        for row in 1..=ROWS {
            let mut insert = Query::insert();
            insert.into_table(table.name.clone());
            insert.columns(table.columns.iter().map(|column| column.name.clone()));
            let value = |column: &Column| Expr::val(value(&table.name, column, row));
            insert.values(table.columns.iter().map(value)).expect("a value for each column");
            let inserted = tx.connection().execute(&insert).await;
            inserted.unwrap_or_else(|error| panic!("{}: {error}", table.name));
        }
    }
    tx.commit().await.expect("the rows are kept");
}

fn value(table: &str, column: &Column, row: i64) -> Value {
    let Column { name, kind, targets, key, is_nullable } = column;
    let is_nothing = *is_nullable && row % 2 == 0;
    // Rows with the same number go together.
    let is_named = ["start_at", "user_id"].contains(&name.as_str());
    let is_bound = key.is_some() || !targets.is_empty() || is_named;
    let number = match name.as_str() {
        "end_at" => row + 1,
        _ if is_bound => row,
        // What PostgreSQL's narrow columns take.
        _ => i64::from(i32::MAX) - row,
    };
    let text = format!("{table}.{name} {row}: \u{1f9ea}ü\u{301}\u{202e} '\"\\%_\t\r\n");
    let time = DateTime::from_timestamp_micros(1_800_000_000_123_456 + row * 999_999);
    match kind {
        Kind::Integer => Value::BigInt((!is_nothing).then_some(number)),
        Kind::Truth => Value::Bool((!is_nothing).then_some(row % 2 == 1)),
        Kind::Float => Value::Double((!is_nothing).then_some(0.1 + 0.2_f64)),
        Kind::Text => Value::String((!is_nothing).then_some(text)),
        Kind::Time => Value::ChronoDateTimeUtc(time.filter(|_| !is_nothing)),
        Kind::Day => {
            Value::ChronoDate(NaiveDate::from_ymd_opt(2024, 2, 29).filter(|_| !is_nothing))
        }
        Kind::Bytes => Value::Bytes((!is_nothing).then(|| (0..=255).collect())),
    }
}
