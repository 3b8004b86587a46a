//! What can be wrong with a file of WebAnno TSV.

use crate::problem::quoted::Quoted;

/// What is wrong with a file of WebAnno TSV, and what was expected instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WebAnnoProblem {
    /// The first line is another one.
    #[error("this is not WebAnno TSV; expected the first line #FORMAT=WebAnno TSV 3.3")]
    NoFormatLine,
    /// A version whose escapes or columns are others.
    #[error("this is version {} of WebAnno TSV; expected 3.2 or 3.3", Quoted(.0))]
    Version(String),
    /// A line of the header that names no layer.
    #[error("the header has {}; expected #T_SP=, #T_CH= or #T_RL= with a layer", Quoted(.0))]
    Header(String),
    /// A header with more columns than any project has.
    #[error("the header asks for more than {0} columns")]
    TooManyColumns(usize),
    /// A name in the header that is longer than any project's.
    #[error("the header has a name of more than {0} bytes; expected shorter ones")]
    LongName(usize),
    /// A token outside of a sentence.
    #[error("expected #Text= with the text of a sentence before its tokens")]
    NoSentence,
    /// A sentence that cannot be placed, because nothing says where it begins.
    #[error("the sentence has no tokens, so its place is not known")]
    NoTokens,
    /// A row with too few or too many cells.
    #[error("the row has {found} cells, the header asks for {expected}; expected the same")]
    Cells {
        /// Cells of the row.
        found: usize,
        /// Cells by the header.
        expected: usize,
    },
    /// The first cell is not the number of a token.
    #[error("{} is not a token's number; expected one such as 1-2 or 1-2.1", Quoted(.0))]
    Unit(String),
    /// The second cell is not a range.
    #[error("{} are not offsets; expected two such as 4-8", Quoted(.0))]
    Offsets(String),
    /// A sentence that begins before the one before it ends.
    #[error(
        "the sentence begins at {begin}, but the text before it goes on to {length} \
         (UTF-16 units); expected sentences in order and apart"
    )]
    SentenceBegin {
        /// Where the first token begins.
        begin: u64,
        /// How long the text is before it.
        length: usize,
    },
    /// Offsets that leave the sentence, or split a character.
    #[error(
        "{begin}-{end} does not lie on characters of the sentence's text, which goes from \
         {sentence_begin} to {sentence_end}; offsets count UTF-16 units"
    )]
    OutsideSentence {
        /// The begin as given.
        begin: u64,
        /// The end as given.
        end: u64,
        /// Where the sentence begins, in UTF-16 units.
        sentence_begin: usize,
        /// Where it ends.
        sentence_end: usize,
    },
    /// A value whose id is none.
    #[error("{} ends in an id that is no number; expected one such as [1]", Quoted(.0))]
    Id(String),
    /// A cell with more values than anybody stacks.
    #[error("the cell has {found} values; expected at most {most}")]
    Stack {
        /// Values of the cell.
        found: usize,
        /// The most that are read.
        most: usize,
    },
    /// A span that may end with its sentence or go on in the next one.
    #[error(
        "ids of spans begin anew in each sentence of this file, so it is not clear whether the span \
         of the sentence before goes on here; give the spans other ids"
    )]
    IdsRestart,
    /// Tokens of one span with several labels.
    #[error(
        "the span [{id}] has the label {} here, and another on line {first_line}; \
         expected the same",
        Quoted(label)
    )]
    OtherLabel {
        /// The id.
        id: u64,
        /// The label here.
        label: String,
        /// The line of the span's first token.
        first_line: usize,
    },
}
