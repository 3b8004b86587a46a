//! What stands beside the text: the current position with the ways to decide, and all positions.

pub(crate) mod answers;
mod chips;
pub(crate) mod current_position;
mod group;
pub(crate) mod label_search;
pub(crate) mod of_document;
pub(crate) mod position_list;
pub(crate) mod reason;
pub(crate) mod selected_text;
