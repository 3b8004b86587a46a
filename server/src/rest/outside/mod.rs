//! What leaves the server, and the proof that its numbers are right.

pub(crate) mod audit;
pub(crate) mod verification;
pub(crate) mod webhooks;
