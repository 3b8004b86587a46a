//! The words of the product, shared by browser and server: ids, documents, spans, decisions,
//! the policy table, commands, views and the error that people read. Pure: no I/O, no async.

#[macro_use]
pub mod base;

mod account;
mod agreement;
mod document;
pub mod outside;
mod overview;
mod project;
mod review;
mod work;
mod workload;

pub use account::*;
pub use agreement::*;
pub use base::*;
pub use document::*;
pub use outside::*;
pub use overview::*;
pub use project::*;
pub use review::*;
pub use work::*;
pub use workload::*;
