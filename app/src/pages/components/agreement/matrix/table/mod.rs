//! The table of a matrix, from what all its cells look at to what one of them says.

pub(crate) mod board;
pub(crate) mod cell;
pub(crate) mod face;
pub(crate) mod grid;
pub(crate) mod models;
mod pooled;
pub(crate) mod seen;
pub(crate) mod several;
pub(crate) mod window;
