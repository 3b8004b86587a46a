//! Prodigy's JSONL.

pub(crate) mod read;
pub(crate) mod write;
