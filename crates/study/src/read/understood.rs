//! What was understood of a file, to be shown beside the numbers that come of it.

use agreement::Iob2;
use serde::{Deserialize, Serialize};

use super::header::Header;
use super::{Delimiter, Extent, Form, Level};
use crate::{Misuse, count64};

/// So many different numbers may be categories.
const FEWEST_NUMBERS: u64 = 20;

/// What a file was taken for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Understood {
    /// Coding or unitizing.
    pub kind: Kind,
    /// What stands between fields.
    pub delimiter: Delimiter,
    /// True if the delimiter was detected.
    pub delimiter_detected: bool,
    /// True if the first line holds names, and how that is known.
    pub header: Header,
    /// How a coding study is laid out.
    pub form: Option<Form>,
    /// What can be said about two different categories.
    pub level: Level,
    /// The raters, by name, or by the number of their column.
    pub raters: Vec<String>,
    /// What lines, columns and cells were taken for, in words.
    pub read_as: String,
    /// The evidence for that.
    pub because: String,
    /// Columns that were left out.
    pub other_columns: Vec<String>,
    /// How many items there are; of units, none.
    pub items: u64,
    /// How many sequences they make, if a column says which each belongs to.
    pub sequences: Option<u64>,
    /// How many ratings, or units, there are.
    pub ratings: u64,
    /// How many ratings are missing.
    pub missing: u64,
    /// The texts that stood for a missing rating, besides nothing at all.
    pub missing_as: Vec<String>,
    /// The categories, in their order.
    pub categories: Vec<String>,
    /// The stretch on which units were marked.
    pub continuum: Option<Stretch>,
    /// What the second number of a unit is.
    pub extent: Option<Extent>,
    /// How many decimals the numbers of units have in the file; here they are whole, so much larger.
    pub decimals: u32,
}

impl Understood {
    /// The categories as tags of IOB2, if that is what they are.
    pub(crate) fn iob2(&self) -> Option<Vec<Iob2<'_>>> {
        Iob2::parse_all(self.categories.iter().map(String::as_str))
    }

    /// True if the categories are numbers of which most occur once or twice, so that they are no categories.
    pub(crate) fn is_continuous(&self) -> bool {
        let numbers = count64(self.categories.len());
        self.level > Level::Ordinal && numbers > FEWEST_NUMBERS && numbers * 3 > self.ratings
    }

    /// The place of a rater, by name.
    pub(crate) fn rater(&self, name: &str) -> Result<usize, Misuse> {
        let place = self.raters.iter().position(|rater| rater == name);
        place.ok_or_else(|| Misuse::NoRater { asked: name.to_owned(), raters: self.raters.clone() })
    }
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
    /// True if it was given, and not taken to reach from 0 to the end of the last unit.
    pub given: bool,
}
