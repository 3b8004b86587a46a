//! What labelers do to documents.

pub mod assignments;
pub mod choices;
pub mod comments;
pub mod flags;
pub mod focus;
pub mod repeats;
pub mod save_keys;
pub mod spans;
pub mod suggestions;
pub mod versions;
