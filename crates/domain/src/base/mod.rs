//! What every room uses.

#[macro_use]
mod named;

mod cell;
mod code;
mod convert;
mod error;
mod id;
mod name;
mod page;
pub mod policy;
mod span;
pub mod text;

pub use cell::*;
pub use code::*;
pub use convert::*;
pub use error::*;
pub use id::*;
pub use name::*;
pub use page::*;
pub use span::*;
