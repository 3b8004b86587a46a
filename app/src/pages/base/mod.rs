//! Pages of no feature.

pub(crate) mod not_found;
