//! The words of the product, shared by browser and server: ids, documents, spans, decisions,
//! the policy table, commands, views and the error that people read. Pure: no I/O, no async.

mod account;
mod agreement_view;
mod alert;
mod assignment;
mod command;
mod disagreement;
mod document;
mod error;
mod id;
mod import;
mod label;
mod member;
mod page;
pub mod policy;
mod project;
mod review;
mod round;
mod span;
pub mod text;
mod time_view;
mod work;

pub use account::*;
pub use agreement_view::*;
pub use alert::*;
pub use assignment::*;
pub use command::*;
pub use disagreement::*;
pub use document::*;
pub use error::*;
pub use id::*;
pub use import::*;
pub use label::*;
pub use member::*;
pub use page::*;
pub use project::*;
pub use review::*;
pub use round::*;
pub use span::*;
pub use time_view::*;
pub use work::*;
