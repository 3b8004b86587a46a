//! What every room of the REST interface uses.

pub(in crate::rest) mod download;
pub(crate) mod extract;
pub(in crate::rest) mod if_match;
pub(in crate::rest) mod pages;
pub(crate) mod upload;
