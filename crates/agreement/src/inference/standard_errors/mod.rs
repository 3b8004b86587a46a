//! Standard errors by formula.

pub(crate) mod fleiss_null;
pub(crate) mod gwet;
pub(crate) mod item_counts;
pub(crate) mod kappa;
pub(crate) mod weighted_kappa;
