//! Label Studio's JSON and JSON-MIN.

pub(crate) mod min;
pub(crate) mod read;
mod regions;
mod target;
pub(crate) mod write;
