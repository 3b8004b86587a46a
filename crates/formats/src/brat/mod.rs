//! brat's standoff format: a text, and its annotations beside it.

pub(crate) mod read;
pub(crate) mod write;
