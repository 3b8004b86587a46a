//! The server functions of what leaves the server.

pub mod webhooks;
