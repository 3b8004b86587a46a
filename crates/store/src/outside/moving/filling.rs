//! Puts the rows of one database into another, a batch at a time.

use std::pin::pin;

use futures::TryStreamExt;
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, StreamTrait,
    sea_query::{InsertStatement, Query},
};

use super::{
    progress::{Progress, Report, Stage},
    statements,
    unmoved::Unmoved,
};
use crate::{
    Error,
    base::chunks,
    outside::catalog::{
        Table,
        record::{Record, select},
    },
};

/// The most rows of a batch, and about the most bytes: what is in memory at a time.
const ROWS: usize = 250;
const BYTES: usize = 4 << 20;

/// Puts the rows of a table into the table of the same name, which has none, and has its ids go on after the
/// same one.
pub(super) async fn fill(
    destination: &DatabaseTransaction,
    source: &DatabaseTransaction,
    (table, of): (&Table, u64),
    report: Report<'_>,
) -> Result<(), Unmoved> {
    put_rows(destination, source, (table, of), report).await?;
    let highest = statements::highest_id(source, table).await?;
    Ok(statements::give_ids_above(destination, table, highest).await?)
}

async fn put_rows(
    destination: &DatabaseTransaction,
    source: &DatabaseTransaction,
    (table, of): (&Table, u64),
    report: Report<'_>,
) -> Result<(), Unmoved> {
    let engine = ConnectionTrait::get_database_backend(destination);
    let most = (chunks::parameters(engine) / table.columns.len()).min(ROWS);
    let reading = ConnectionTrait::get_database_backend(source);
    let mut rows = pin!(source.stream(&select(table, reading)).await?);
    let (mut batch, mut weight, mut moved) = (Vec::new(), 0, 0);
    loop {
        let row = rows.try_next().await?;
        let is_end = row.is_none();
        if let Some(row) = row {
            let record = Record::of(table, &row)?;
            if let Some((column, why)) = record.misfit(table, engine) {
                let place = format!("{}.{column}", table.name);
                return Err(Unmoved::Unfit { place, why, row: record.key(table) });
            }
            weight += record.weight();
            batch.push(record);
            moved += 1;
        }
        if batch.len() == most || weight >= BYTES || is_end && !batch.is_empty() {
            weight = 0;
            let key = |record: Option<&Record>| record.map_or(String::new(), |it| it.key(table));
            let (first, last) = (key(batch.first()), key(batch.last()));
            let taken = destination.execute(&insert(table, batch.drain(..))?).await;
            taken.map_err(|why| Unmoved::NotTaken {
                table: table.name.clone(),
                first,
                last,
                why: why.into(),
            })?;
            report(Progress { stage: Stage::Filling, table: &table.name, rows: moved, of });
        }
        if is_end {
            return Ok(());
        }
    }
}

fn insert(table: &Table, rows: impl Iterator<Item = Record>) -> Result<InsertStatement, Error> {
    let mut insert = Query::insert();
    insert.into_table(table.name.clone());
    insert.columns(table.columns.iter().map(|column| column.name.clone()));
    for row in rows {
        insert.values(row.values()).map_err(Error::unreadable)?;
    }
    Ok(insert)
}
