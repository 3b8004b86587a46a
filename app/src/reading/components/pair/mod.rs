//! One pair of the matrix: its value, the table it comes from, and the formula filled in.

mod alpha;
mod chance;
pub(crate) mod contingency;
mod kappa;
mod math;
mod plain;
mod share;
pub(crate) mod steps;
pub(crate) mod summary;
