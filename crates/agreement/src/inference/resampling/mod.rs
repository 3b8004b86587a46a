//! How much a measure moves when its units are drawn anew or left out.

pub(crate) mod bootstrap;
pub(crate) mod graded_units;
pub(crate) mod jackknife;
pub(crate) mod nominal_units;
pub(crate) mod pair_units;
pub(crate) mod permutation;
mod random;
