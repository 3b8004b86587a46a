//! From a decision to the server: what waits, what is kept in the browser until it is stored.

pub(crate) mod draft;
mod outbox;
pub(crate) mod saver;
