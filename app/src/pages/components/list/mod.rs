//! Lists and tables: heads that sort, and pages of rows.

pub(crate) mod pager;
pub(crate) mod sort_head;
pub(crate) mod table;
