//! What can be wrong with a CoNLL-U file.

use crate::problem::quoted::Quoted;

/// What is wrong with a CoNLL-U file, and what was expected instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConlluProblem {
    /// A CoNLL-U Plus file whose columns have no words.
    #[error("# global.columns names no column FORM; expected one with the words")]
    NoForms,
    /// A line with more or fewer columns than the file has.
    #[error("the line has {found} columns, expected {expected}, separated by tabs")]
    Columns {
        /// Columns of the line.
        found: usize,
        /// Columns of the file.
        expected: usize,
    },
    /// An id that is none.
    #[error("{} is not an id; expected one such as 1, 1-2 or 1.1", Quoted(.0))]
    Id(String),
    /// A token without a form.
    #[error("the token has no form")]
    NoForm,
    /// A token that `# text =` does not have where it should.
    #[error(
        "# text = goes on with {}, expected {}; check the tokens and SpaceAfter=No",
        Quoted(found),
        Quoted(expected)
    )]
    TextDiffers {
        /// What the text has next.
        found: String,
        /// What the token is.
        expected: String,
    },
    /// Spans written as brackets, as in CorefUD.
    #[error(
        "{} marks spans by brackets, which are not read; expected tags such as B-PER",
        Quoted(.0)
    )]
    Brackets(String),
    /// `# text =` of a sentence without tokens.
    #[error("the sentence has a text, but no tokens")]
    NoTokens,
}
