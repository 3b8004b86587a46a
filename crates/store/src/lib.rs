//! The only crate that knows SQL. A module for each noun holds its verbs: free functions that take
//! a [`Db`] to read or a [`Tx`] to write, and return domain types. What is permitted and what is
//! valid is decided above, in `services`.

pub mod account;
pub mod agreement;
pub mod base;
pub mod document;
mod entity;
pub mod outside;
pub mod project;
pub mod review;
pub mod work;
pub mod workload;

#[cfg(feature = "testing")]
pub mod testing;

pub use base::connection::held::{Connections, InUse, continue_in_task, held_for};
pub use base::db::{Db, Snapshot, Store, Tx};
pub use base::error::{DatabaseError, Error};

/// Where something stands in a list: what comes before and after it, and "3 of 12".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbours<Id> {
    pub previous: Option<Id>,
    pub next: Option<Id>,
    /// From 1.
    pub place: u64,
    pub places: u64,
}
