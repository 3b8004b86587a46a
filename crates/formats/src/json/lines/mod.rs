//! Our own JSON Lines.

pub(crate) mod read;
pub(crate) mod write;
