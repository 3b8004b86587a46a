//! What every room uses: who may, what time it is, in which order, at which rate; what a
//! change of a project goes through, and how lots are drawn.

pub mod access;
pub(crate) mod categories;
pub mod change;
pub(crate) mod clock;
pub(crate) mod drawing;
pub(crate) mod error;
pub(crate) mod export;
pub(crate) mod names;
pub(crate) mod quoting;
pub mod secrets;
pub(crate) mod sorting;
