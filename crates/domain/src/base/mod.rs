//! What every room uses.

#[macro_use]
mod switch;

mod cell;
mod code;
mod command;
mod error;
mod gathered;
mod id;
mod name;
mod page;
pub mod policy;
mod span;
pub mod text;

pub use cell::*;
pub use code::*;
pub use command::*;
pub use error::*;
pub use gathered::*;
pub use id::*;
pub use name::*;
pub use page::*;
pub use span::*;
