//! CoNLL-2003.

pub(crate) mod read;
pub(crate) mod write;
