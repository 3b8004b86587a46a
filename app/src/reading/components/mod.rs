//! Pieces of pages that are only read.

pub(super) mod disagreements;
pub(super) mod live_line;
pub(super) mod pager;
pub(super) mod pair;
pub(super) mod plain_dialog;
