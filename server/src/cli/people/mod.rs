//! Accounts and tokens, by whoever runs the server.

mod password;
pub(super) mod token;
pub(super) mod user;
