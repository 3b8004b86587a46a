//! What a browser takes over of a page: the text that is marked or reviewed, with all that works on
//! it. The server renders it first.

pub(crate) mod annotator;
mod dialog;
mod ends;
pub mod icon;
mod label_names;
pub(crate) mod reviewer;
mod save_state;
mod talk;
pub(crate) mod text_view;
