//! Why a database was not moved.

use sea_orm::DbErr;

use crate::{Error, outside::catalog::record::Unreadable};

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
    #[error("the database has a table that this version does not know: {0}")]
    UnknownInSource(String),
    #[error("the destination has a table that this version does not know: {0}")]
    UnknownInDestination(String),
    #[error("the table {0} has other columns in the destination")]
    OtherColumns(String),
    #[error("another move into the destination has begun")]
    Overtaken,
    /// A value that the other engine would change.
    #[error("{place} of row {row} {why}")]
    Unfit { place: String, why: &'static str, row: String },
    #[error("{place} of row {row} cannot be read: {why}")]
    Unreadable { place: String, row: String, why: String },
    #[error("the destination does not take {table} from row {first} to row {last}: {why}")]
    NotTaken { table: String, first: String, last: String, why: Box<DbErr> },
    /// The first difference in each table.
    #[error("the destination is not the same: {}", .0.join("; "))]
    Different(Vec<String>),
    #[error(transparent)]
    Store(#[from] Error),
}

impl From<Unreadable> for Unmoved {
    fn from(Unreadable { place, row, why }: Unreadable) -> Self {
        Self::Unreadable { place, row, why }
    }
}

impl From<DbErr> for Unmoved {
    fn from(error: DbErr) -> Self {
        Self::Store(error.into())
    }
}
