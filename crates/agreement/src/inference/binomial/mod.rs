//! Exact answers where something happened so many times of so many.

pub(super) mod mcnemar;
pub(super) mod share;
