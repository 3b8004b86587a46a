//! What can be wrong with an imported file, in words for the person who has to mend it.

pub(crate) mod brat;
pub(crate) mod bundle;
pub(crate) mod conllu;
pub(crate) mod exchange;
pub(crate) mod quoted;
pub(crate) mod webanno;

use std::{fmt, io};

use self::brat::BratProblem;
use self::bundle::BundleProblem;
use self::conllu::ConlluProblem;
use self::exchange::ExchangeProblem;
use self::quoted::{Quoted, shorten};
use self::webanno::WebAnnoProblem;
use crate::import::findings::repair::Repair;
use crate::import::limits::{MAX_DOCUMENT_BYTES, MAX_LINE_BYTES};

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

impl ImportError {
    /// A problem of a file as a whole.
    pub(crate) fn of_file(file: &str, problem: impl Into<Problem>) -> Self {
        Self { file: file.to_owned(), line: None, field: None, problem: problem.into() }
    }
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
    /// Something that is repaired, where files are not read strictly.
    #[error("{repair}: {count}; mend the file, or do not read it strictly")]
    Repairable {
        /// What is repaired.
        repair: Repair,
        /// How often.
        count: usize,
    },
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
        "byte {0} of the file (counted from 0) is not valid UTF-8; \
         expected a file saved as UTF-8"
    )]
    InvalidUtf8(u64),
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
    /// The spans of a document take more than it may be long, twice over.
    #[error("the document has too many spans, or too long labels; split it into several documents")]
    TooManySpans,
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
    #[error("the field is missing; expected {0}")]
    MissingField(&'static str),
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
    #[error("the text contains a NUL character (U+0000); remove it")]
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
    #[error("the span starts and ends at {0}, so it is empty; ends are exclusive")]
    EmptySpan(u64),
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
    /// The id of another document.
    #[error(
        "the id {} is already used in {first_file}, line {first_line}; expected each id once",
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
    /// The text at a span's place is not what the file quotes.
    #[error(
        "the text at the span's place is {}, the file quotes {}; \
         its offsets may be of another unit or another version of the text",
        Quoted(found),
        Quoted(quote)
    )]
    QuoteDiffers {
        /// What the file quotes.
        quote: String,
        /// What the text has there.
        found: String,
    },
    /// A record of a table that is longer than a text and a line.
    #[error("the row is longer than {} MiB; a quotation mark may be unclosed",
        (MAX_DOCUMENT_BYTES + MAX_LINE_BYTES) / (1024 * 1024))]
    RecordTooLong,
    /// A cell that is not UTF-8.
    #[error("the cell is not valid UTF-8; expected a file saved as UTF-8")]
    CellNotUtf8,
    /// A cell that should be an offset.
    #[error("{} is not an offset; expected a whole number from 0", Quoted(.0))]
    NotAnOffset(String),
    /// A table without the columns that make spans.
    #[error(
        "the first row names no column {0}; expected document, start, end, label and text, \
         and, if known, id, rater and quote"
    )]
    TableColumnsMissing(String),
    /// Two columns of a table that mean the same.
    #[error("the first row has two columns for the same thing; expected one")]
    TableColumnTwice,
    /// Answers about documents, where only spans are read.
    #[error(
        "the file holds answers about documents, and only spans are compared; `concord measure` \
         reads tables of answers"
    )]
    AnswersUnread,
    /// A table of answers without a column of anybody's.
    #[error(
        "the first row names no rater; expected a column for the items, one called text if they \
         have texts, and one for each rater"
    )]
    NoRaters,
    /// A row with more or fewer cells than the first.
    #[error("the row has {found} cells, the first row has {expected}; expected the same")]
    TableCells {
        /// Cells of this row.
        found: usize,
        /// Cells of the first row.
        expected: usize,
    },
    /// A row that gives its document another text.
    #[error("this is another text than on line {0}; expected the same, or an empty cell")]
    TableOtherText(usize),
    /// Rows of a document after those of another.
    #[error(
        "the document was on line {0} before, and others are between; \
         sort the rows by document"
    )]
    TableDocumentAgain(usize),
    /// Something that brat's files do not allow.
    #[error(transparent)]
    Brat(#[from] BratProblem),
    /// Something that is refused in a zip or a folder.
    #[error(transparent)]
    Bundle(#[from] BundleProblem),
    /// Something that CoNLL-U does not allow.
    #[error(transparent)]
    Conllu(#[from] ConlluProblem),
    /// Something that WebAnno TSV does not allow.
    #[error(transparent)]
    WebAnno(#[from] WebAnnoProblem),
    /// Something that the JSON or XML of another tool does not allow.
    #[error(transparent)]
    Exchange(#[from] ExchangeProblem),
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
        "{} is not a tag{}; expected O, B-LABEL or I-LABEL \
         (or E- and S- of BIOES, or L- and U- of BILOU)",
        Quoted(.0), LookAlike(.0)
    )]
    ConllTag(String),
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Self::Unreadable { reason: error.to_string() }
    }
}

/// A first character that looks like one of a tag and is another.
struct LookAlike<'tag>(&'tag str);

impl LookAlike<'_> {
    /// Latin letters of tags, and what looks like them.
    const OTHERS: [(char, &'static str); 7] = [
        ('O', "\u{41E}\u{43E}\u{39F}\u{3BF}\u{FF2F}0"),
        ('B', "\u{412}\u{392}\u{FF22}"),
        ('I', "\u{406}\u{399}\u{4C0}\u{FF29}"),
        ('E', "\u{415}\u{395}\u{FF25}"),
        ('S', "\u{405}\u{FF33}"),
        ('M', "\u{41C}\u{39C}\u{FF2D}"),
        ('U', "\u{FF35}"),
    ];
}

impl fmt::Display for LookAlike<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = self.0.chars().next();
        let alone = matches!(self.0.chars().nth(1), None | Some('-' | '_'));
        let found = first.filter(|_| alone).and_then(|first| {
            let latin = Self::OTHERS.iter().find(|(_, others)| others.contains(first));
            latin.map(|(latin, _)| (first, latin))
        });
        match found {
            Some((first, latin)) => {
                let (code, latin_code) = (u32::from(first), u32::from(*latin));
                write!(
                    out,
                    ": it begins with U+{code:04X}, which looks like {latin} (U+{latin_code:04X})"
                )
            }
            None => Ok(()),
        }
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
