//! Datasaur's schema.

mod places;
pub(crate) mod read;
mod sentences;
pub(crate) mod source;
pub(crate) mod write;
