//! A whole database into an empty one, of the same engine or of the other: table by table as the schema has
//! them, then compared row by row.
//!
//! While it is filled, the destination has a migration that no version knows: so no server works on it until
//! everything is there and was compared, whatever breaks meanwhile, and the next move begins anew.

pub(crate) mod catalog;
mod comparing;
mod destination;
mod filling;
mod record;
mod source;
mod statements;

use sea_orm::{DbErr, TransactionTrait};
use serde::Serialize;

use self::source::Source;
use crate::{
    Error,
    base::{
        connect::{begin_write, connect_to_look, connect_to_write},
        migrating,
    },
};

/// Why a database was not moved. The one that it was to be moved from is as it was.
#[derive(Debug, thiserror::Error)]
pub enum Unmoved {
    #[error("the database is not of this version: `concord migrate` brings it up to date")]
    NotCurrent,
    #[error("the database is in use: stop its servers first")]
    InUse,
    #[error("the database holds nothing")]
    Empty,
    #[error("the destination is not empty: {0} has rows")]
    NotEmpty(String),
    #[error("the destination has other tables than this version")]
    OtherTables,
    /// A value that the other engine would change.
    #[error("{place} of row {row} {why}")]
    Unfit { place: String, why: &'static str, row: String },
    /// The first difference in each table.
    #[error("the destination is not the same: {}", .0.join("; "))]
    Different(Vec<String>),
    #[error(transparent)]
    Store(#[from] Error),
}

impl From<DbErr> for Unmoved {
    fn from(error: DbErr) -> Self {
        Self::Store(error.into())
    }
}

/// What is being done with each row of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Filling,
    Comparing,
}

/// How far it is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    pub stage: Stage,
    pub table: &'a str,
    pub rows: u64,
    pub of: u64,
}

/// What is told of it.
type Report<'a> = &'a mut (dyn FnMut(Progress<'_>) + Send);

/// A table that is the same in both databases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MovedTable {
    pub table: String,
    pub rows: u64,
    /// Of its rows in the order of their keys, in a form that is the same for both engines.
    pub sha256: String,
}

/// Moves the database of one address into the empty one of another. The first stays as it is, and nobody
/// writes into it meanwhile.
pub async fn move_all(
    from: &str,
    to: &str,
    report: Report<'_>,
) -> Result<Vec<MovedTable>, Unmoved> {
    let source = Source::open(from).await?;
    let destination = destination::prepare(to, &source.tables).await?;
    let tx = begin_write(&destination).await?;
    for (table, rows) in &source.tables {
        filling::fill(&tx, &source.tx, (table, *rows), report).await?;
    }
    tx.commit().await?;
    destination.close().await?;
    let moved = compare_all(&source, to, report).await?;
    let destination = connect_to_write(to).await?;
    migrating::end_moving(&destination).await?;
    destination.close().await?;
    source.close().await?;
    Ok(moved)
}

/// Compares everything, by a connection that has written nothing of it.
async fn compare_all(
    source: &Source,
    to: &str,
    report: Report<'_>,
) -> Result<Vec<MovedTable>, Unmoved> {
    let destination = connect_to_look(to).await?;
    let tx = destination.begin().await?;
    let (mut same, mut different) = (Vec::new(), Vec::new());
    for (table, rows) in &source.tables {
        match comparing::compare(&tx, &source.tx, (table, *rows), report).await? {
            Ok(table) => same.push(table),
            Err(difference) => different.push(difference),
        }
    }
    tx.rollback().await?;
    destination.close().await?;
    if different.is_empty() { Ok(same) } else { Err(Unmoved::Different(different)) }
}
