//! Detects a first line that holds names.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::cells::missing::Missing;
use super::cells::sameness::is_number;
use crate::read::columns::roles::{proves_header, role};

/// In fewer lines values that are all different show nothing.
const FEWEST_LINES: usize = 3;

/// True if the first line is a header, and how that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Header {
    /// There is one, as an option says.
    Given,
    /// There is none, as an option says.
    Denied,
    /// One of the names is known, such as `item`.
    KnownNames,
    /// The first field is empty, above a column of names.
    EmptyCorner,
    /// A word in the first line stands above numbers only.
    AboveNumbers,
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
    /// True if the first line holds names.
    pub fn is_there(self) -> bool {
        matches!(
            self,
            Self::Given
                | Self::KnownNames
                | Self::EmptyCorner
                | Self::AboveNumbers
                | Self::NeverAgain
        )
    }
}

impl fmt::Display for Header {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Given => "yes",
            Self::Denied | Self::NothingToName => "no",
            Self::KnownNames => "yes (detected by its names)",
            Self::EmptyCorner => {
                "yes (detected: its first field is empty, above names; else --no-header)"
            }
            Self::AboveNumbers => {
                "yes (detected: a word stands above numbers only; else --no-header)"
            }
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

/// True if the first of the rows is a header.
pub(super) fn detect(rows: &[Vec<String>], missing: &Missing) -> Header {
    let Some((first, below)) = rows.split_first() else { return Header::NothingToName };
    let cells = |column: usize| below.iter().filter_map(move |row| row.get(column));
    let comes_again = |column: usize, name: &str| cells(column).any(|cell| cell == name);
    let has = |is: &dyn Fn(usize, &str) -> bool| {
        first.iter().enumerate().any(|(column, name)| is(column, name))
    };
    // A number above words only, such as a year, is a name.
    let is_datum = |column: usize, name: &str| {
        let mut values = cells(column).filter(|cell| !missing.is_gap_in_header(cell)).peekable();
        is_number(name) && (values.peek().is_none() || values.any(|cell| is_number(cell)))
    };
    // A value that is missing in the first line is no corner: where the others are unlike, too.
    let is_corner = || {
        let names: BTreeSet<&String> = cells(0).filter(|cell| !cell.is_empty()).collect();
        let heads: BTreeSet<&String> = first.iter().skip(1).collect();
        let are_index = (0_usize..).zip(cells(0)).all(|(place, cell)| *cell == place.to_string());
        first.first().is_some_and(String::is_empty)
            && heads.len() + 1 == first.len()
            && !heads.contains(&String::new())
            && names.len() == below.len()
            && (below.len() >= FEWEST_LINES || are_index && below.len() > 1)
    };
    // A name of a column, above values of which none comes again, or that are numbered alike.
    let is_above_items = |column: usize, name: &str| {
        let values: BTreeSet<&String> = cells(column).filter(|cell| !cell.is_empty()).collect();
        let stem = |cell: &str| cell.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
        let stems: BTreeSet<String> = values.iter().map(|cell| stem(cell)).collect();
        let are_numbered = stems.len() == 1 && !stems.contains(&stem(name)) && !is_number(name);
        below.len() >= FEWEST_LINES
            && values.len() == below.len()
            && !name.is_empty()
            && (are_numbered || role(name).is_some())
    };
    let is_above_numbers = |column: usize, name: &str| {
        !name.is_empty()
            && !is_number(name)
            && !missing.may_be(name)
            && below.len() > 1
            && cells(column).all(|cell| is_number(cell))
    };
    let is_first_above = first.first().is_some_and(|name| is_above_items(0, name));
    if has(&|column, name| proves_header(name) && !comes_again(column, name)) || is_first_above {
        Header::KnownNames
    } else if is_corner() {
        Header::EmptyCorner
    } else if has(&|column, name| column > 0 && missing.is_gap_in_header(name)) {
        Header::MissingInFirst
    } else if has(&is_above_numbers) {
        Header::AboveNumbers
    } else if has(&is_datum) {
        Header::NumberInFirst
    } else if has(&|column, name| !name.is_empty() && comes_again(column, name)) {
        Header::ComesAgain
    } else {
        Header::NeverAgain
    }
}
