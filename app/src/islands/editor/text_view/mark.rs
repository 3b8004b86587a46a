//! What is marked in a text, as a text view shows it.

use std::sync::Arc;

use domain::{Colour, Range};

/// A marked range of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub range: Range,
    /// The short text at the mark's start.
    pub tag: Arc<str>,
    pub colour: Option<Colour>,
    /// Further classes, such as the standing of a position.
    pub class: &'static str,
    /// What the mark is called: "PER: Hamlet".
    pub title: Arc<str>,
}
