//! The measures, one per file: each reads a table of counts and returns a coefficient.

pub(crate) mod cohen;
pub(crate) mod krippendorff;
pub(crate) mod percent;
