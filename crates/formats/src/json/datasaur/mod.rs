//! Datasaur's schema.

pub(crate) mod read;
pub(crate) mod source;
pub(crate) mod write;
