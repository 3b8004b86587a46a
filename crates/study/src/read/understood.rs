//! What was understood of a file, to be shown beside the numbers that come of it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::columns::Layout;
use super::{Delimiter, Extent, Form, Level, Options};

/// What a file was taken for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Understood {
    /// Coding or unitizing.
    pub kind: Kind,
    /// What stands between fields.
    pub delimiter: Delimiter,
    /// Whether the delimiter was detected.
    pub delimiter_detected: bool,
    /// Whether the first line holds names, and how that is known.
    pub header: Header,
    /// How a coding study is laid out.
    pub form: Option<Form>,
    /// What can be said about two different categories.
    pub level: Level,
    /// The raters, by name, or by the number of their column.
    pub raters: Vec<String>,
    /// Columns that were left out.
    pub other_columns: Vec<String>,
    /// Columns of raters that look as if they held names of items: no value comes again.
    pub suspicious: Vec<String>,
    /// How many items there are; of units, none.
    pub items: u64,
    /// How many ratings, or units, there are.
    pub ratings: u64,
    /// How many ratings are missing.
    pub missing: u64,
    /// What stands for a missing rating, besides nothing at all.
    pub missing_as: Vec<String>,
    /// The categories, in their order.
    pub categories: Vec<String>,
    /// The stretch on which units were marked.
    pub continuum: Option<Stretch>,
    /// What the second number of a unit is.
    pub extent: Option<Extent>,
}

/// What kind of study it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Items were put into categories.
    Coding,
    /// Units were marked on a continuum.
    Unitizing,
}

/// A stretch of a continuum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stretch {
    /// Where it begins.
    pub begin: u64,
    /// Where it ends; this point is not part of it.
    pub end: u64,
    /// Whether it was given, and not taken to reach from 0 to the end of the last unit.
    pub given: bool,
}

/// Whether the first line is a header, and how that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Header {
    /// There is one, as an option says.
    Given,
    /// There is none, as an option says.
    Denied,
    /// One of the names is known, such as `item`.
    KnownNames,
    /// Nothing in the first line comes again below.
    NeverAgain,
    /// There is none: the first line holds a number.
    NumberInFirst,
    /// There is none: something is missing in the first line.
    MissingInFirst,
    /// There is none: what is in the first line comes again below.
    ComesAgain,
    /// There is none, because there is nothing.
    NothingToName,
}

impl Header {
    /// Whether the first line holds names.
    pub fn is_there(self) -> bool {
        matches!(self, Self::Given | Self::KnownNames | Self::NeverAgain)
    }
}

impl fmt::Display for Header {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Given => "yes",
            Self::Denied | Self::NothingToName => "no",
            Self::KnownNames => "yes (detected by its names)",
            Self::NeverAgain => {
                "yes (detected: none of the first line comes again; else --no-header)"
            }
            Self::NumberInFirst => "no (detected: the first line holds a number; else --header)",
            Self::MissingInFirst => "no (detected: the first line has a gap; else --header)",
            Self::ComesAgain => {
                "no (detected: what the first line holds comes again; else --header)"
            }
        })
    }
}

impl Understood {
    /// What is known before the lines are read.
    pub(super) fn of(
        delimiter: Delimiter,
        layout: &Layout,
        rows: &[Vec<String>],
        options: &Options,
    ) -> Self {
        let width = rows.first().map_or(0, Vec::len);
        let used = layout.used();
        Self {
            kind: layout.kind,
            delimiter,
            delimiter_detected: options.delimiter.is_none(),
            header: layout.header,
            form: layout.form,
            level: options.level,
            raters: Vec::new(),
            other_columns: (0..width)
                .filter(|column| !used.contains(column))
                .map(|column| layout.name(column))
                .collect(),
            suspicious: layout
                .suspicious(rows, options)
                .into_iter()
                .map(|column| layout.name(column))
                .collect(),
            items: 0,
            ratings: 0,
            missing: 0,
            missing_as: options.missing(),
            categories: Vec::new(),
            continuum: None,
            extent: layout.extent,
        }
    }
}
