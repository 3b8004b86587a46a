//! Probabilities and quantiles.

pub(crate) mod digamma;
pub(crate) mod exact;
pub(crate) mod normal;
pub(crate) mod student;
pub(crate) mod variance_ratio;
