//! Pieces of pages that are only read.

pub(super) mod causes;
pub(super) mod counted;
pub(super) mod disagreements;
pub(super) mod field;
pub(crate) mod live_line;
pub(super) mod naming;
pub(super) mod pager;
pub(super) mod pair;
pub(super) mod plain_dialog;
pub(super) mod shares;
pub(super) mod sort_head;
pub(super) mod walk_through;
