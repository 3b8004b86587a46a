//! What leaves the server, what is kept for later, and what proves it.

pub mod audit;
pub mod backup;
pub(crate) mod expiry;
pub mod mail;
pub mod standing;
mod tries;
pub mod verification;
pub mod webhooks;

pub use store::outside::moving;
