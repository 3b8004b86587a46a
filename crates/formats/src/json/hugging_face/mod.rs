//! Tokens with tags of Hugging Face.

pub(crate) mod read;
pub(crate) mod token_scan;
