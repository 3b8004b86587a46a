//! What can be wrong with an imported file, in words for the person who has to mend it.

use std::fmt;

use super::tag_scheme::TagScheme;
use super::{MAX_DOCUMENT_BYTES, MAX_LINE_BYTES, MAX_RECORD_BYTES};

/// A problem and its place: `guide.jsonl, line 12, field spans[3].end: …`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportError {
    /// The file's name as it was given.
    pub file: String,
    /// The line, counted from 1; none when the problem is the file's as a whole.
    pub line: Option<usize>,
    /// The field within the line, such as `spans[3].end`; list entries count from 0, as in JSON.
    pub field: Option<String>,
    /// What is wrong.
    pub problem: Problem,
}

impl fmt::Display for ImportError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(out, ", line {line}")?;
        }
        if let Some(field) = &self.field {
            write!(out, ", field {field}")?;
        }
        write!(out, ": {}", self.problem)
    }
}

impl std::error::Error for ImportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.problem)
    }
}

/// What is wrong, and what was expected instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The bytes stopped coming.
    #[error("the file could not be read to its end ({reason}); please send it again")]
    Unreadable {
        /// What the reader said.
        reason: String,
    },
    /// The file has no bytes, or no line that means anything in its format.
    #[error("the file is empty; expected at least one document")]
    EmptyFile,
    /// The bytes are not UTF-8.
    #[error(
        "byte {byte} of the file (counted from 0) is not valid UTF-8; \
         expected a file saved as UTF-8"
    )]
    InvalidUtf8 {
        /// The first byte that is not UTF-8, counted from 0 over the whole file.
        byte: u64,
    },
    /// The file starts with a UTF-16 byte order mark.
    #[error("the file is UTF-16; expected a file saved as UTF-8")]
    Utf16,
    /// A line is longer than [`MAX_LINE_BYTES`].
    #[error("the line is longer than {} MiB; split its text into several documents",
        MAX_LINE_BYTES / (1024 * 1024))]
    LineTooLong,
    /// A document is longer than [`MAX_DOCUMENT_BYTES`].
    #[error("the document is longer than {} MiB; split it into several documents",
        MAX_DOCUMENT_BYTES / (1024 * 1024))]
    DocumentTooLarge,
    /// A line is not one JSON object.
    #[error(
        "this is not one JSON object ({reason}, at byte {column} of the line); \
         expected one object a line, such as {{\"text\": \"EU rejects\"}}"
    )]
    InvalidJson {
        /// Where reading stopped, in bytes counted from 1.
        column: usize,
        /// What the JSON reader said.
        reason: String,
    },
    /// A field that has to be there is not.
    #[error("the field is missing; expected {expected}")]
    MissingField {
        /// What belongs there.
        expected: &'static str,
    },
    /// A field holds another kind of value.
    #[error("this is {found}; expected {expected}")]
    WrongType {
        /// What belongs there.
        expected: &'static str,
        /// What is there.
        found: &'static str,
    },
    /// An id, a name or a label is empty or whitespace.
    #[error("the value is blank; expected at least one visible character")]
    Blank,
    /// A document's text is empty or whitespace.
    #[error("the text is blank; expected at least one visible character")]
    EmptyText,
    /// A NUL character, which no database column for text can hold.
    #[error("there is a NUL character (U+0000), which a text cannot hold; remove it")]
    ContainsNul,
    /// The end of a span lies before its start.
    #[error("the span ends at {end}, before its start at {start}; expected start < end")]
    SpanEndsBeforeStart {
        /// The start as given.
        start: u64,
        /// The end as given.
        end: u64,
    },
    /// A span that holds no character.
    #[error("the span starts and ends at {at}, so it holds nothing; ends are exclusive")]
    EmptySpan {
        /// Start and end as given.
        at: u64,
    },
    /// A span goes past the end of its text.
    #[error(
        "the span ends at {end}, but the text has {length} characters; \
         offsets count Unicode code points, not bytes and not UTF-16 units"
    )]
    SpanPastEnd {
        /// The end as given.
        end: u64,
        /// The length of the text in Unicode scalar values.
        length: usize,
    },
    /// The same start, end and label as another span of the document.
    #[error("the span is the same as spans[{first}]; expected each span once")]
    DuplicateSpan {
        /// The index of the first of the two.
        first: usize,
    },
    /// The id of another document.
    #[error(
        "the id {} is taken by {first_file}, line {first_line}; expected each id once",
        Quoted(id)
    )]
    DuplicateId {
        /// The id.
        id: String,
        /// The file of the first document with this id.
        first_file: String,
        /// The line of the first document with this id.
        first_line: usize,
    },
    /// A label that the project does not have.
    #[error("the label {} is not one of the project's: {}", Quoted(label), KnownLabels(known))]
    UnknownLabel {
        /// The label as given.
        label: String,
        /// The labels of the project, sorted.
        known: Vec<String>,
    },
    /// The end of a span, in UTF-16 units, goes past the end of its text.
    #[error(
        "the span ends at {end}, but the text has {length} UTF-16 units, which is what this \
         format counts"
    )]
    SpanPastEndUtf16 {
        /// The end as given.
        end: u64,
        /// The length of the text in UTF-16 units.
        length: usize,
    },
    /// A UTF-16 offset that parts the two units of one character.
    #[error(
        "the UTF-16 offset {offset} lies within a character; \
         the file seems to count something else, such as Unicode code points"
    )]
    WithinCharacter {
        /// The offset as given.
        offset: u64,
    },
    /// A span whose text is not what the file says it holds.
    #[error(
        "the file says that the span holds {}, but its offsets hold {}; \
         the offsets or the text were changed",
        Quoted(quote),
        Quoted(found)
    )]
    QuoteDiffers {
        /// What the file says.
        quote: String,
        /// What the text holds between the offsets.
        found: String,
    },
    /// A rater who judged the same document twice.
    #[error("the rater {} has two annotations of this document; expected one", Quoted(rater))]
    RepeatedRater {
        /// The rater as the file names them.
        rater: String,
    },
    /// One record of a JSON file is not valid JSON.
    #[error("this is not valid JSON ({reason}, at byte {column} of line {line})")]
    InvalidRecord {
        /// The line where reading stopped, counted from 1.
        line: usize,
        /// The byte of the line, counted from 1.
        column: usize,
        /// What the JSON reader said.
        reason: String,
    },
    /// One record of a file is longer than [`MAX_RECORD_BYTES`].
    #[error("the record is longer than {} MiB; split it into several",
        MAX_RECORD_BYTES / (1024 * 1024))]
    RecordTooLong,
    /// One record of a JSON file has more values than fit in memory.
    #[error("the record has more than {most} values; split it into several")]
    TooManyValues {
        /// The most that are read.
        most: usize,
    },
    /// A file that cannot be the format it is read as.
    #[error("this is not {format}: expected {expected}")]
    OtherFormat {
        /// The format.
        format: &'static str,
        /// What marks it.
        expected: &'static str,
    },
    /// A task over something else than plain text.
    #[error(
        "the region is of the type {}, whose offsets do not count characters of a plain text; \
         only tasks with a Text tag can be read",
        Quoted(kind)
    )]
    NotPlainText {
        /// The type of the region.
        kind: String,
    },
    /// A record in which no field, or more than one, could be the text.
    #[error(
        "the text could not be told: expected a field \"text\", or one text only; found {}",
        KnownLabels(found)
    )]
    NoTextField {
        /// The fields that hold strings.
        found: Vec<String>,
    },
    /// A token that the text does not have where it should.
    #[error("the token {} is not in the text after the token before it", Quoted(token))]
    TokenNotInText {
        /// The token.
        token: String,
    },
    /// A position that counts characters in a token where units would differ.
    #[error(
        "the character {at} of the token {} is the same in no unit: the format does not say \
         whether it counts code points or UTF-16 units",
        Quoted(token)
    )]
    CharacterOfToken {
        /// The position as given.
        at: u64,
        /// The token.
        token: String,
    },
    /// A reference to something that is not there.
    #[error("there is no {what} {}", Quoted(reference))]
    DanglingReference {
        /// What is missing.
        what: &'static str,
        /// How the file names it.
        reference: String,
    },
    /// A file that is not well-formed XML.
    #[error("this is not well-formed XML ({reason})")]
    InvalidXml {
        /// What the XML reader said.
        reason: String,
    },
    /// An XML file with a document type, which could make entities and read other files.
    #[error("the file has a DOCTYPE, which is refused; remove it")]
    Doctype,
    /// More of something than any real file has.
    #[error("there are more than {most} {what}; split the file")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// The most that are read.
        most: usize,
    },
    /// A CoNLL-2003 line with one column.
    #[error("the line has one column; expected a token and, in the last column, its tag")]
    ConllOneColumn,
    /// A CoNLL-2003 line with another number of columns than the first one.
    #[error("the line has {found} columns, line {first_line} has {expected}; expected the same")]
    ConllColumns {
        /// Columns of this line.
        found: usize,
        /// Columns of the first line with a token.
        expected: usize,
        /// The first line with a token.
        first_line: usize,
    },
    /// A tag that is none.
    #[error(
        "{} is not a tag; expected O, B-LABEL or I-LABEL \
         (or E- and S- of BIOES, or L- and U- of BILOU)",
        Quoted(tag)
    )]
    ConllTag {
        /// What stands in the tag's place.
        tag: String,
    },
    /// A tag of another scheme than the file's first span is written in.
    #[error(
        "{tag} cannot stand here in {scheme}, the scheme of the file's first span (line {first_line}); expected one scheme in a file"
    )]
    ConllMixedSchemes {
        /// The tag.
        tag: String,
        /// The scheme of the first span.
        scheme: TagScheme,
        /// The line that told the scheme.
        first_line: usize,
    },
    /// An inside tag that continues nothing, in a scheme where spans begin with another tag.
    #[error(
        "I-{label} continues nothing: the token before it in the sentence is not {label}; \
         expected B-{label} to open a span"
    )]
    ConllInsideWithoutBegin {
        /// The label of the tag.
        label: String,
    },
    /// A tag of an end without a beginning.
    #[error("{tag} ends nothing: the token before it in the sentence is not of the same span")]
    ConllEndWithoutBegin {
        /// The tag.
        tag: String,
    },
    /// A span without a mark of its end, in a scheme that has one.
    #[error(
        "the span {label} that begins on line {first_line} is not ended, which {scheme} asks for"
    )]
    ConllUnfinished {
        /// The label of the span.
        label: String,
        /// The scheme of the file.
        scheme: TagScheme,
        /// The line of the span's first token.
        first_line: usize,
    },
}

/// The longest stretch of a file that a message repeats, in characters.
const SHOWN: usize = 60;

/// At most [`SHOWN`] characters of what a file says, so that no message is as long as a line.
pub(in crate::import) fn shorten(value: &str) -> String {
    match value.char_indices().nth(SHOWN) {
        Some((byte, _)) => format!("{}…", value.get(..byte).unwrap_or_default()),
        None => value.to_owned(),
    }
}

struct Quoted<'value>(&'value str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "\"{}\"", shorten(self.0))
    }
}

/// The labels a message names: enough to see a slip of the pen, not a whole vocabulary.
struct KnownLabels<'labels>(&'labels [String]);

impl fmt::Display for KnownLabels<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMED: usize = 12;
        if self.0.is_empty() {
            return out.write_str("it has none yet");
        }
        for (position, label) in self.0.iter().take(NAMED).enumerate() {
            let separator = if position == 0 { "" } else { ", " };
            write!(out, "{separator}{}", shorten(label))?;
        }
        match self.0.len().saturating_sub(NAMED) {
            0 => Ok(()),
            more => write!(out, " and {more} more"),
        }
    }
}
