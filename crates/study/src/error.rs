//! Why a study was not measured: wrong options, or a file that is wrong at a line and a column.

use std::{fmt, io};

use crate::read::Choice;

/// Why nothing was measured.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The options ask for what there is not.
    #[error(transparent)]
    Misuse(#[from] Misuse),
    /// The file is wrong.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A file of predictions is wrong.
    #[error("{file}: {refusal}")]
    Predictions {
        /// Which.
        file: String,
        /// What is wrong with it.
        refusal: Refusal,
    },
    /// The bytes stopped coming.
    #[error("the file cannot be read to its end: {0}")]
    Read(#[source] io::Error),
    /// The report cannot be written.
    #[error("the report cannot be written: {0}")]
    Write(#[source] io::Error),
}

/// A place in a file, as editors count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Place {
    /// The line, from 1.
    pub line: u64,
    /// The character in the line, from 1.
    pub column: u64,
}

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Where; nowhere in particular if it is the file as a whole.
    pub place: Option<Place>,
    /// What.
    pub problem: Problem,
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Place { line, column }) = self.place {
            write!(out, "line {line}, column {column}: ")?;
        }
        write!(out, "{}", self.problem)
    }
}

impl std::error::Error for Refusal {}

/// What is wrong, and what was expected instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// There is nothing in the file.
    #[error("the file is empty; expected a line for each item")]
    Empty,
    /// There is only a header.
    #[error(
        "there is nothing below the header; expected a line for each item \
         (with --no-header the first line is one)"
    )]
    OnlyHeader,
    /// Several ways to read the file are possible.
    #[error("this can be read in {} ways; choose one: {}", .0.len(), listed(.0))]
    Ambiguous(Vec<Choice>),
    /// A warning where warnings are errors.
    #[error("{0} (refused by --strict)")]
    Strict(String),
    /// Raters and labels without items.
    #[error("“{0}” names raters and “{1}” holds labels; expected a column of items beside them")]
    NoItems(String, String),
    /// There is one column only.
    #[error(
        "there is one column; expected a column for each rater, or one each for item, rater and \
         label (with --delimiter, if they are separated by another sign)"
    )]
    OneColumn,
    /// The file is no table.
    #[error("this is {0}; expected a table saved as CSV in UTF-8")]
    NoTable(&'static str),
    /// A field holds a character that no text has.
    #[error("there is a NUL character in the field; expected a file saved as UTF-8")]
    Nul,
    /// The file is encoded as UTF-16.
    #[error("this is UTF-16; expected a file saved as UTF-8")]
    Utf16,
    /// The file is not encoded as UTF-8.
    #[error("byte 0x{byte:02X} is not UTF-8; expected a file saved as UTF-8")]
    NotUtf8 {
        /// The first byte that does not belong.
        byte: u8,
    },
    /// A record is longer than anything that could be meant.
    #[error("the line is longer than 1 MiB; expected an item, or a rating, on each line")]
    LineTooLong,
    /// A quoted field has no end.
    #[error("the quote that opens here is never closed; expected another \" before the file ends")]
    UnclosedQuote,
    /// Text follows the end of a quoted field.
    #[error("“{found}” follows a closing quote; expected {delimiter} or the end of the line")]
    AfterQuote {
        /// What follows.
        found: char,
        /// What ends a field.
        delimiter: &'static str,
    },
    /// A line has more or fewer columns than the first.
    #[error("there are {found} columns; expected {expected}, as in line {first_line}")]
    Columns {
        /// How many there are.
        found: usize,
        /// How many the first line has.
        expected: usize,
        /// Which line that is.
        first_line: u64,
    },
    /// Two raters' columns have one name.
    #[error("the column “{0}” is there twice; expected a name of its own for each rater")]
    RepeatedColumn(String),
    /// A field that has to be there is not.
    #[error("the {0} is missing; expected one on every line")]
    Missing(&'static str),
    /// An item belongs to two sequences.
    #[error("“{0}” is another sequence than the item had before; expected an item in one sequence")]
    OtherSequence(String),
    /// Two raters' lines have the items of a sequence in different orders.
    #[error(
        "“{0}” comes before an earlier item of its sequence; expected each rater's lines in one order"
    )]
    OutOfOrder(String),
    /// Two ratings of one item by one rater.
    #[error(
        "“{rater}” has rated “{item}” otherwise before, in line {line}; expected one rating of an \
         item by a rater"
    )]
    RatedTwice {
        /// Whose.
        rater: String,
        /// Of what.
        item: String,
        /// Where the earlier one stands.
        line: u64,
    },
    /// Two lines are of one rater.
    #[error("“{0}” has a line before; expected one line for each rater")]
    RepeatedRater(String),
    /// A category is not one of those declared.
    #[error("“{0}” is not among the categories declared with --categories")]
    NotDeclared(String),
    /// A category is not a number where numbers are compared.
    #[error("“{text}” is not a number; expected {expected}")]
    NotANumber {
        /// What is there.
        text: String,
        /// What belongs there.
        expected: &'static str,
    },
    /// A number that is too large to be computed with.
    #[error("{0} is too large; expected a number below 1.8e308")]
    NumberTooLarge(String),
    /// A negative number on a ratio scale.
    #[error("{0} is negative; expected numbers from 0 up, as ratios have a zero")]
    NegativeRatio(String),
    /// A cell of a contingency table is not a count.
    #[error("“{0}” is not a count; expected how many items have both labels")]
    NotACount(String),
    /// A count that may be thousands.
    #[error("“{0}” can be some, or as many thousands; expected counts without a sign within")]
    EitherCount(String),
    /// Counts are more than can be held.
    #[error("the counts add up to more than 50000000 ratings, which is the limit")]
    TooManyCounted,
    /// Columns are compared with each other.
    #[error(
        "there are {0} columns; expected 10,000 at most: is another character between them (`--delimiter`)?"
    )]
    TooManyColumns(usize),
    /// A line of a contingency table is of a label that no column has.
    #[error("“{0}” is the label of no column; expected the same labels in lines and columns")]
    NoSuchColumn(String),
    /// What is called a sum in a contingency table is none.
    #[error(
        "“{name}” is {found} where the others add up to {expected}; expected their sum, or another \
         name if it is a label"
    )]
    NotTheSum {
        /// What the line or the column is called.
        name: String,
        /// What is there.
        found: u64,
        /// What belongs there.
        expected: u64,
    },
    /// A number has more decimals than those at the beginning of the file.
    #[error("the {what} {text} has more than {decimals} decimals, as the first lines have at most")]
    Decimals {
        /// What is there.
        text: String,
        /// What belongs there.
        what: &'static str,
        /// How many decimals the first lines have.
        decimals: u32,
    },
    /// An offset or a length is not a whole number.
    #[error("“{text}” is not the {what} of a unit; expected a whole number")]
    NotWhole {
        /// What is there.
        text: String,
        /// What belongs there.
        what: &'static str,
    },
    /// An offset or a length is negative.
    #[error("the {what} {text} is negative; expected a whole number from 0 up")]
    Negative {
        /// What is there.
        text: String,
        /// What belongs there.
        what: &'static str,
    },
    /// An offset, a length or their sum is too large.
    #[error("the {what} {text} is too large; expected at most 18446744073709551615")]
    TooLarge {
        /// What is there.
        text: String,
        /// What belongs there.
        what: &'static str,
    },
    /// A unit ends before it starts.
    #[error("the end {end} lies before the start {start}; expected an end behind the start")]
    EndBeforeStart {
        /// Where the unit starts.
        start: u64,
        /// Where it ends.
        end: u64,
    },
    /// A unit has no length.
    #[error("the unit at {start} has no length; expected a length of 1 or more")]
    NoLength {
        /// Where the unit starts.
        start: u64,
    },
    /// A unit lies beyond the continuum that was given.
    #[error("the unit {start}–{end} lies outside of the continuum {begin}–{stop}")]
    Outside {
        /// Where the unit starts.
        start: u64,
        /// Where it ends.
        end: u64,
        /// Where the continuum begins.
        begin: u64,
        /// Where it ends.
        stop: u64,
    },
    /// Two units of one rater and category overlap.
    #[error(
        "“{rater}” has marked part of {start}–{end} as “{category}” before, in line {line}; \
         expected units of one rater and category to lie apart"
    )]
    Overlap {
        /// Whose.
        rater: String,
        /// Where the later one starts.
        start: u64,
        /// Where it ends.
        end: u64,
        /// What both are called.
        category: String,
        /// Where the earlier one stands.
        line: u64,
    },
    /// The columns of a table do not say what is predicted.
    #[error(
        "expected the columns item, category and probability, or item, rater and category, by these \
         names"
    )]
    PredictionColumns,
    /// A line of JSON does not say what is predicted.
    #[error("expected the fields item and soft_label, or item, rater and label")]
    PredictionFields,
    /// A line is no object of JSON.
    #[error("this is not a JSON object: {0}")]
    NotJson(String),
    /// Distributions and answers of raters in one file.
    #[error("this is a prediction of another kind; expected one kind in a file")]
    OtherPredictions,
    /// Nothing is predicted.
    #[error("there is no prediction; expected a line for each")]
    NoPredictions,
    /// A prediction for an item that there is not.
    #[error("“{0}” is not an item of the study")]
    NoSuchItem(String),
    /// A prediction for one of several items of a name.
    #[error("several items of the study are called “{0}”; expected a name of its own for each")]
    SeveralItems(String),
    /// A prediction for a rater who is not there.
    #[error("“{0}” is not a rater of the study")]
    NoSuchRater(String),
    /// A prediction of a category that there is not.
    #[error("“{0}” is not a category of the study; declare it with --categories")]
    NoSuchCategory(String),
    /// A probability that is none.
    #[error("“{0}” is not a probability; expected a number from 0 to 1")]
    NotAProbability(String),
    /// Probabilities of an item that do not add up.
    #[error("the probabilities of “{item}” add up to {sum}; expected 1")]
    NoDistribution {
        /// Of what.
        item: String,
        /// What they add up to.
        sum: String,
    },
    /// Two predictions of the same.
    #[error("“{what}” is predicted twice for “{item}”")]
    PredictedTwice {
        /// For which item.
        item: String,
        /// The category, or the rater.
        what: String,
    },
    /// There is more than can be counted or held.
    #[error("there are more raters, items or categories than can be held")]
    TooMany,
}

/// Choices in a sentence.
fn listed(choices: &[Choice]) -> String {
    let all: Vec<String> = choices.iter().map(Choice::to_string).collect();
    all.join("; or ")
}

/// Options that do not fit each other or the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misuse {
    /// A column is asked for that is not there.
    #[error("there is no column “{asked}”; there are {}", columns.join(", "))]
    NoColumn {
        /// What was asked for.
        asked: String,
        /// What there is.
        columns: Vec<String>,
    },
    /// A rater is asked for who is not there.
    #[error("there is no rater “{asked}”; there are {}", raters.join(", "))]
    NoRater {
        /// Who was asked for.
        asked: String,
        /// Who there is.
        raters: Vec<String>,
    },
    /// A column or a rater is asked for twice.
    #[error("“{0}” is asked for twice")]
    Twice(String),
    /// It cannot be told which columns hold what.
    #[error(
        "which columns hold the {wanted} cannot be told from the header; name them with --columns"
    )]
    UnknownColumns {
        /// What is looked for.
        wanted: &'static str,
    },
    /// Raters' columns that cannot be those.
    #[error("--raters takes {expected}")]
    RaterColumns {
        /// What belongs there.
        expected: &'static str,
    },
    /// A number of columns other than the one that has a meaning.
    #[error("--columns takes {expected}")]
    ColumnCount {
        /// What belongs there.
        expected: &'static str,
    },
    /// It cannot be told whether units have a length or an end.
    #[error("say whether units have a length or an end: --units=length or --units=end")]
    LengthOrEnd,
    /// A word is not one of those that an option knows.
    #[error("“{found}” is not {what}; expected {expected}")]
    Word {
        /// What was given.
        found: String,
        /// What was asked for.
        what: &'static str,
        /// What there is.
        expected: String,
    },
    /// A level of confidence that is none.
    #[error("the confidence has to lie between 0 and 1, as 0.95 does")]
    Confidence,
    /// A diagnostic that says nothing about this kind of study.
    #[error("“{diagnostic}” says nothing about {study}")]
    Diagnostic {
        /// What was asked for.
        diagnostic: &'static str,
        /// What the file holds.
        study: &'static str,
    },
    /// What is about items is asked of a study that has none.
    #[error("--{option} is about items, and {study} has none")]
    NoItems {
        /// The option that asked for it.
        option: &'static str,
        /// What the file holds.
        study: &'static str,
    },
    /// An option about raters beside a study that does not name them.
    #[error("--{option} is about a rater, and {study} does not say who rated")]
    NoRaters {
        /// The option that asked for it.
        option: &'static str,
        /// What the file holds.
        study: &'static str,
    },
    /// A consensus on sequences of items that are in none.
    #[error(
        "--consensus {method} needs --sequence, the column that says which sequence an item belongs to"
    )]
    NoSequences {
        /// The way to a consensus.
        method: &'static str,
    },
    /// An option that says nothing without another.
    #[error("--{option} says nothing without --{needed}")]
    Without {
        /// The one that is there.
        option: &'static str,
        /// The one that is not.
        needed: &'static str,
    },
    /// A measure that does not exist for this kind of study.
    #[error("“{measure}” does not apply here; these do: {}", applicable.join(", "))]
    Measure {
        /// What was asked for.
        measure: String,
        /// What could be asked for.
        applicable: Vec<String>,
    },
}
