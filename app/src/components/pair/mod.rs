//! One pair of the matrix: its value, the table it comes from, and the formula filled in.

mod alpha;
pub(crate) mod contingency;
mod kappa;
mod math;
mod share;
pub(crate) mod steps;
pub(crate) mod summary;
