//! WebAnno TSV 3.

mod cells;
mod header;
pub(crate) mod read;
mod sentence;
mod units;
pub(crate) mod write;
