//! What stands beside the text: the labels, the active span, the suggestions and all spans.

mod attributes;
pub(crate) mod inspector;
pub(crate) mod palette;
pub(crate) mod span_list;
pub(crate) mod suggestions;
