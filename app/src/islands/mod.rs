//! What a browser takes over of a page: the text that is marked or reviewed, with all that works on
//! it. The server renders it first.

pub(crate) mod annotator;
mod answering;
pub(crate) mod editor;
pub mod icon;
mod prelude;
pub(crate) mod reviewer;
