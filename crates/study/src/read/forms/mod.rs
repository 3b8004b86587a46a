//! The forms of a table, each with the evidence for it and what reads it.

pub(super) mod contingency;
mod counted;
pub(super) mod counts;
pub(super) mod frequencies;
pub(super) mod interpretation;
pub(super) mod long;
pub(super) mod rows;
pub(super) mod units;
pub(super) mod wide;
