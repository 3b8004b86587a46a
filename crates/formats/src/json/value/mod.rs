//! A value of JSON as it was read, and its place in the record.

pub(crate) mod at;
pub(crate) mod node;
pub(crate) mod spans;
