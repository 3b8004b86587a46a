//! What is known to the server alone, and what tells bytes apart: its key, tokens, checksums.

pub mod checksum;
pub mod server_key;
pub(crate) mod token;
