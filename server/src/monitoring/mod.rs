//! What somebody is told who watches over the server.

pub(crate) mod heads;
pub(crate) mod health;
pub(crate) mod log;
pub(crate) mod metrics;
pub(crate) mod traces;
