//! From an edit to the server: the history of edits, the log of what is not saved, what to send next,
//! and taking up what an earlier page has left.

pub(crate) mod change;
pub(crate) mod history;
pub(crate) mod log;
pub(crate) mod merging;
mod resuming;
pub(crate) mod saver;
pub(crate) mod status;
pub(crate) mod sync;
#[cfg(test)]
mod tests;
