//! Label Studio's JSON and JSON-MIN.

pub(crate) mod min;
mod offsets;
pub(crate) mod read;
mod regions;
mod target;
mod text;
pub(crate) mod write;
