//! Measures of two raters.

pub(crate) mod bennett;
pub(crate) mod cohen;
pub(crate) mod krippendorff;
pub(crate) mod pair_sums;
pub(crate) mod percent;
pub(crate) mod retrieval;
pub(crate) mod scott;
pub(crate) mod weighted_kappa;
