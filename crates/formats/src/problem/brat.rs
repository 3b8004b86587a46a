//! What can be wrong with brat's files.

use crate::problem::quoted::Quoted;

/// What is wrong with a document of brat, and what was expected instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BratProblem {
    /// An `.ann` file on its own.
    #[error("the text is missing; expected a .txt file of the same name")]
    NoText,
    /// A line that is no annotation.
    #[error(
        "{} is not a brat annotation; expected an id such as T1, a tab, a label and two offsets, \
         a tab and the text",
        Quoted(.0)
    )]
    Line(String),
    /// A span whose parts share text.
    #[error("the parts of the span overlap ({}); expected them apart", Quoted(.0))]
    Overlap(String),
}
