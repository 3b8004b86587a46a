//! What is told while a database is moved, and of what has been.

use serde::Serialize;

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
pub(super) type Report<'a> = &'a mut (dyn FnMut(Progress<'_>) + Send);

/// A table that is the same in both databases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MovedTable {
    pub table: String,
    pub rows: u64,
    /// Of its rows in the order of their keys, in a form that is the same for both engines.
    pub sha256: String,
}
