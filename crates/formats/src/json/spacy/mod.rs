//! spaCy's JSON.

pub(crate) mod read;
mod training;
pub(crate) mod write;
