//! What can be said about a file beforehand; what is not said is detected.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::cells::missing::Missing;
use crate::Misuse;
use crate::words::{unknown, words};

/// What is known about a file; by default nothing, and all is detected.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// What stands between fields.
    pub delimiter: Option<Delimiter>,
    /// True if the first line holds the names of the columns.
    pub header: Option<bool>,
    /// How a coding study is laid out.
    pub form: Option<Form>,
    /// True if the file holds units on a continuum, and what their second number is if its
    /// column has no name that says so.
    pub units: Option<Option<Extent>>,
    /// Which raters are compared. In a wide table columns: names, numbers from 1, and ranges of
    /// them such as `3-5`; elsewhere names of raters. Empty means all.
    pub raters: Vec<String>,
    /// Which columns hold what, by name or number: item, rater and category of a long table;
    /// rater, start, length or end, and category of units. Empty means by their names.
    pub columns: Vec<String>,
    /// Which column says which sequence an item belongs to, by name or number; items of a sequence follow each
    /// other in the order of the file. Without it items have no order.
    pub sequence: Option<String>,
    /// The texts for a missing rating, besides nothing at all and the usual ones.
    pub missing: Missing,
    /// The categories, in their order; without it those that occur.
    pub categories: Vec<String>,
    /// What can be said about two different categories.
    pub level: Level,
    /// Where the continuum begins and ends; without it from 0 to the end of the last unit.
    pub continuum: Option<(u64, u64)>,
    /// A file that there is a warning about is refused.
    pub strict: bool,
    /// True if to remember the names of items.
    pub item_names: bool,
}

/// What stands between fields: one ASCII character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Delimiter {
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// A tabulator.
    Tab,
    /// `|`
    Pipe,
    /// One blank, or several.
    Blank,
}

impl Delimiter {
    /// The byte itself.
    pub fn byte(self) -> u8 {
        match self {
            Self::Comma => b',',
            Self::Semicolon => b';',
            Self::Tab => b'\t',
            Self::Pipe => b'|',
            Self::Blank => b' ',
        }
    }

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Comma => "a comma",
            Self::Semicolon => "a semicolon",
            Self::Tab => "a tab",
            Self::Pipe => "a |",
            Self::Blank => "blanks",
        }
    }
}

impl FromStr for Delimiter {
    type Err = Misuse;

    fn from_str(text: &str) -> Result<Self, Misuse> {
        match text {
            "," | "comma" => Ok(Self::Comma),
            ";" | "semicolon" => Ok(Self::Semicolon),
            "\t" | "\\t" | "tab" => Ok(Self::Tab),
            "|" | "pipe" => Ok(Self::Pipe),
            " " | "blank" => Ok(Self::Blank),
            _ => Err(unknown(text, "a delimiter", &["comma", "semicolon", "tab", "pipe", "blank"])),
        }
    }
}

words! {
    /// How a coding study is laid out.
    Form is "a form":
    /// A line an item, a column a rater.
    Wide = "wide",
    /// A line a rating: item, rater, category.
    Long = "long",
    /// A line and a column a label: how many items two raters gave both.
    Contingency = "contingency",
    /// A line an item, a column a label: how many raters gave it.
    Counts = "counts",
    /// A line a pattern of labels, with its frequency.
    Frequencies = "frequencies",
    /// A line a rater, a column an item.
    Rows = "rows",
}

words! {
    /// What the second number of a unit is.
    Extent is "the extent of a unit":
    /// How long it is.
    Length = "length",
    /// Where it ends; this point is not part of it.
    End = "end",
}

words! {
    /// What can be said about two different categories.
    Level is "a level of measurement":
    /// That they are different.
    Nominal = "nominal",
    /// Which of them is more.
    Ordinal = "ordinal",
    /// How far apart they are.
    Interval = "interval",
    /// How many times one is the other.
    Ratio = "ratio",
}

#[expect(clippy::derivable_impls, reason = "the enum is made by a macro")]
impl Default for Level {
    fn default() -> Self {
        Self::Nominal
    }
}
