//! Whether two databases hold the same rows: each is read again, side by side.

use std::{fmt::Write, pin::pin};

use futures::TryStreamExt;
use sea_orm::{ConnectionTrait, DatabaseTransaction, StreamTrait};
use sha2::{Digest, Sha256};

use super::{
    progress::{MovedTable, Progress, Report, Stage},
    statements,
    unmoved::Unmoved,
};
use crate::outside::catalog::{
    Table,
    record::{Record, select},
};

/// How many rows are compared between two words of how far it is.
const BETWEEN: u64 = 1000;

/// Compares a table: what it holds, or in words the first thing that is not the same.
pub(super) async fn compare(
    destination: &DatabaseTransaction,
    source: &DatabaseTransaction,
    (table, of): (&Table, u64),
    report: Report<'_>,
) -> Result<Result<MovedTable, String>, Unmoved> {
    let moved = compare_rows(destination, source, (table, of), report).await?;
    let ids = statements::highest_id(source, table).await?;
    if moved.is_ok() && statements::highest_id(destination, table).await? != ids {
        return Ok(Err(format!("{}: ids do not go on after {ids}", table.name)));
    }
    Ok(moved)
}

async fn compare_rows(
    destination: &DatabaseTransaction,
    source: &DatabaseTransaction,
    (table, of): (&Table, u64),
    report: Report<'_>,
) -> Result<Result<MovedTable, String>, Unmoved> {
    let name = &table.name;
    let mut theirs = pin!(destination.stream(&select(table, engine(destination))).await?);
    let mut ours = pin!(source.stream(&select(table, engine(source))).await?);
    let (mut rows, mut hash) = (0, Sha256::new());
    loop {
        let read = |row: Option<_>| row.map(|row| Record::of(table, &row)).transpose();
        let (ours, theirs) = (read(ours.try_next().await?)?, read(theirs.try_next().await?)?);
        match (ours, theirs) {
            (None, None) => break,
            (Some(ours), Some(theirs)) if ours.bytes() == theirs.bytes() => {
                hash.update(theirs.bytes());
            }
            (ours, theirs) => {
                let key = ours.or(theirs).map_or(String::new(), |row| row.key(table));
                return Ok(Err(format!("{name}: row {key}")));
            }
        }
        rows += 1;
        if rows % BETWEEN == 0 || rows == of {
            report(Progress { stage: Stage::Comparing, table: name, rows, of });
        }
    }
    let mut sha256 = String::new();
    for byte in hash.finalize() {
        // Writing to a string cannot fail.
        let _infallible = write!(sha256, "{byte:02x}");
    }
    Ok(Ok(MovedTable { table: name.clone(), rows, sha256 }))
}

fn engine(tx: &DatabaseTransaction) -> sea_orm::DbBackend {
    ConnectionTrait::get_database_backend(tx)
}
