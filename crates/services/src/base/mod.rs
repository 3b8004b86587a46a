//! What every room uses: who may, what time it is, in which order, at which rate; what a
//! change of a project goes through, and how lots are drawn.

pub(crate) mod access;
pub mod admission;
pub mod checksum;
pub(crate) mod clock;
pub(crate) mod concurrency;
pub(crate) mod drawing;
pub(crate) mod error;
pub(crate) mod export;
pub mod idempotency;
pub(crate) mod names;
pub(crate) mod news;
pub(crate) mod project_change;
pub(crate) mod quoting;
pub(crate) mod recent;
pub mod server_key;
pub(crate) mod sorting;
pub(crate) mod token;
