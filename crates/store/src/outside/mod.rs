//! What leaves the database.

pub mod audit;
pub mod chores;
pub mod deliveries;
pub mod files;
pub mod integrity;
pub mod mail;
mod queue;
pub mod webhooks;
