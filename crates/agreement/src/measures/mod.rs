//! The measures, one per file: each reads a table of counts and returns a coefficient.

pub(crate) mod by_name;
pub(crate) mod coefficient;
pub(crate) mod of_many;
pub(crate) mod of_pairs;
pub(crate) mod of_predictions;
pub(crate) mod of_two;
mod spread;
pub(crate) mod sums;
