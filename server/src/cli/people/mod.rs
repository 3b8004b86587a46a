//! Accounts and tokens, by whoever runs the server.

mod password;
mod scim;
pub(super) mod token;
pub(super) mod user;
