//! Measures for raters who find the units themselves, on a continuum without given items.

pub(crate) mod alpha_u;
pub(crate) mod gamma;
pub(crate) mod segmentation;
pub(crate) mod u_alpha;
