//! The adjudication list: rows, filters, pages and files.

pub(crate) mod chips;
pub(crate) mod exports;
pub(crate) mod filters;
pub(crate) mod group;
pub(crate) mod kind;
pub(crate) mod place;
pub(crate) mod row;
pub(crate) mod table;
pub(crate) mod two;
