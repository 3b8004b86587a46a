//! What leaves the server, what is kept as evidence, and what proves it.

mod audit;
mod mail;
mod verification;
mod webhook;

pub use audit::*;
pub use mail::*;
pub use verification::*;
pub use webhook::*;
