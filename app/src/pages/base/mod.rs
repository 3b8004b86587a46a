//! What all pages stand on: addresses, and pages of no feature.

pub(crate) mod address;
pub(crate) mod not_found;
