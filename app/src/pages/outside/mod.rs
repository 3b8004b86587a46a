//! What leaves the server, and what is kept as evidence.

pub(crate) mod audit;
pub(crate) mod interface;
pub(crate) mod mail;
pub(crate) mod webhooks;
