//! What stands beside the text: the labels, the active span, the suggestions and all spans.

pub(crate) mod at_pointer;
mod attributes;
pub(crate) mod inspector;
pub(crate) mod palette;
pub(crate) mod rail;
pub(crate) mod span_list;
pub(crate) mod suggestions;
