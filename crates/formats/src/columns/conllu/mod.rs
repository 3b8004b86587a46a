//! CoNLL-U and CoNLL-U Plus.

mod columns;
pub(crate) mod read;
mod sentence;
pub(crate) mod write;
