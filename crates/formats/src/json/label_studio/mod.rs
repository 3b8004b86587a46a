//! Label Studio's JSON and JSON-MIN.

pub(crate) mod min;
pub(crate) mod read;
mod regions;
pub(crate) mod write;
