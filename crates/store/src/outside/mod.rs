//! What leaves the database.

pub mod audit;
pub mod backup;
pub mod catalog;
pub mod deliveries;
pub mod files;
pub mod integrity;
pub mod mail;
pub mod moving;
pub mod person;
mod queue;
pub mod webhooks;
