//! The only crate that knows SQL. A module for each noun holds its verbs: free functions that take
//! a [`Db`] to read or a [`Tx`] to write, and return domain types. What is permitted and what is
//! valid is decided above, in `services`.

mod chunks;
mod connect;
mod db;
mod entity;
mod error;
mod held;
mod sql;

pub mod acts;
pub mod administration;
pub mod alerts;
pub mod answered_requests;
pub mod api_tokens;
pub mod assignments;
pub mod attributes;
pub mod audit;
pub mod choices;
pub mod comments;
pub mod decisions;
pub mod deliveries;
pub mod devices;
pub mod documents;
pub mod exports;
pub mod files;
pub mod flags;
pub mod focus;
pub mod gold_versions;
pub mod guidelines;
pub mod import_undo;
pub mod imports;
pub mod integrity;
pub mod invitations;
pub mod label_details;
pub mod labels;
pub mod members;
pub mod own_counts;
pub mod own_releases;
pub mod passkeys;
pub mod password_resets;
pub mod placeholders;
pub mod pools;
pub mod projects;
pub mod ratings;
pub mod reasons;
pub mod removal;
pub mod repeats;
pub mod reviews;
pub mod rounds;
pub mod save_keys;
pub mod second_factors;
pub mod second_reviews;
pub mod secret_key;
pub mod sessions;
pub mod sign_in_failures;
pub mod spans;
pub mod suggestions;
pub mod used_challenges;
pub mod users;
pub mod versions;
pub mod webhooks;
pub mod workload_acts;
pub mod workloads;

#[cfg(feature = "testing")]
pub mod testing;

pub use db::{Db, Snapshot, Store, Tx};
pub use error::{DatabaseError, Error};
pub use held::{Connections, InUse, held_for, purpose};

/// Where something stands in a list: what comes before and after it, and "3 of 12".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbours<Id> {
    pub previous: Option<Id>,
    pub next: Option<Id>,
    /// From 1.
    pub place: u64,
    pub places: u64,
}
