//! The adjudication list: rows, filters, pages and files.

pub(in crate::reading) mod chips;
pub(crate) mod exports;
pub(crate) mod filters;
pub(in crate::reading) mod kind;
pub(in crate::reading) mod row;
pub(crate) mod table;
pub(crate) mod two;
