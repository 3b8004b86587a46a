//! What leaves the database.

pub mod audit;
pub mod deliveries;
pub mod files;
pub mod integrity;
pub mod mail;
pub mod moving;
mod queue;
pub mod webhooks;
