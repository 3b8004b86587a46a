//! The words of the product, shared by browser and server: ids, documents, spans, decisions,
//! the policy table, commands, views and the error that people read. Pure: no I/O, no async.

mod account;
mod agreement_view;
mod assignment;
mod causes_view;
mod command;
mod disagreement;
mod document;
mod error;
mod id;
mod import;
mod label;
mod member;
mod page;
mod parts_view;
pub mod policy;
mod position_list;
mod project;
mod review;
mod span;
pub mod text;
mod work;

pub use account::*;
pub use agreement_view::*;
pub use assignment::*;
pub use causes_view::*;
pub use command::*;
pub use disagreement::*;
pub use document::*;
pub use error::*;
pub use id::*;
pub use import::*;
pub use label::*;
pub use member::*;
pub use page::*;
pub use parts_view::*;
pub use position_list::*;
pub use project::*;
pub use review::*;
pub use span::*;
pub use work::*;
