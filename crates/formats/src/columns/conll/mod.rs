//! CoNLL-2003 and other tables of tokens with tags.

pub(crate) mod layout;
pub(crate) mod read;
pub(crate) mod write;
