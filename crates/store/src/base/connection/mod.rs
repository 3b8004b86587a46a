//! Connections to the database: how they are opened, who has them, and the transactions on them.

pub(crate) mod connect;
pub(crate) mod held;
pub(crate) mod transaction;
