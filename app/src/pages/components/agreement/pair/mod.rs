//! One pair of the matrix: its value, the table it comes from, and the formula filled in.

mod alpha;
mod beyond_chance;
mod cell;
pub(crate) mod contingency;
mod math;
mod plain;
pub(crate) mod share;
pub(crate) mod steps;
pub(crate) mod summary;
