//! Pieces of pages.

pub(crate) mod agreement;
pub(crate) mod form;
pub(crate) mod frame;
pub(crate) mod list;
pub(crate) mod prelude;
pub(crate) mod text;
