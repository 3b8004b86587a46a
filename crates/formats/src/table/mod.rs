//! Spans and answers in a table, as CSV or TSV.

mod capped;
mod columns;
mod draft;
pub(crate) mod ratings;
pub(crate) mod read;
mod rows;
pub(crate) mod write;
