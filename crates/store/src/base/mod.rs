//! What every room uses: connections, transactions, statements.

pub mod answered_requests;
pub(crate) mod chunks;
pub(crate) mod connect;
pub(crate) mod db;
pub(crate) mod error;
pub(crate) mod held;
pub mod secret_key;
pub(crate) mod sql;
