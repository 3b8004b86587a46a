//! The adjudication list: rows, filters, pages and files.

mod chips;
pub(crate) mod exports;
pub(crate) mod filters;
mod kind;
pub(crate) mod row;
pub(crate) mod table;
pub(crate) mod two;
