//! Spans in a table, as CSV or TSV.

mod capped;
mod columns;
mod draft;
pub(crate) mod read;
pub(crate) mod write;
