//! Cells: which are missing ratings, which are the same word, and the categories that they name.

pub(super) mod categories;
pub(super) mod missing;
pub(super) mod sameness;
