//! The server functions of what leaves the server.

pub mod mail;
pub mod webhooks;
