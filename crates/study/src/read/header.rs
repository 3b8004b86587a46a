//! Whether the first line of a table holds names, and what the names mean.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

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

/// What a column holds, as its name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Item,
    Rater,
    Category,
    Start,
    End,
    Length,
    /// Something beside that nobody has rated with; its names are common labels, too, and prove no
    /// header.
    Aside,
}

/// The names by which a role is known, with spaces between; they are compared without case, spaces
/// and signs.
const NAMES: &[(Role, &str)] = &[
    (
        Role::Item,
        "item items itemid id unit unitid nr no number index sentence sentenceid segment \
        document doc documentid example instance case subject position token npid",
    ),
    (
        Role::Rater,
        "rater raterid coder coderid annotator annotatorid labeler labeller judge observer user \
        worker",
    ),
    (
        Role::Category,
        "category label code rating class tag value score judgement judgment annotation",
    ),
    (Role::Start, "start begin offset from segmentstart"),
    (Role::End, "end stop to segmentend"),
    (Role::Length, "length duration len"),
    (
        Role::Aside,
        "text quote context name title file filename group condition speaker genre topic source \
        comment comments note notes date",
    ),
];

/// What a name says about its column.
pub(crate) fn role(name: &str) -> Option<Role> {
    let plain: String =
        name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    NAMES
        .iter()
        .find(|(_, names)| names.split(' ').any(|name| name == plain))
        .map(|(role, _)| *role)
}

/// Whether the first of the rows is a header.
pub(super) fn detect(rows: &[Vec<String>], is_missing: impl Fn(&str) -> bool) -> Header {
    let Some((first, below)) = rows.split_first() else { return Header::NothingToName };
    let comes_again = |column: usize, name: &str| {
        below.iter().any(|row| row.get(column).is_some_and(|cell| cell == name))
    };
    let has = |is: &dyn Fn(usize, &str) -> bool| {
        first.iter().enumerate().any(|(column, name)| is(column, name))
    };
    let proves = |name: &str| role(name).is_some_and(|role| role != Role::Aside);
    if has(&|column, name| proves(name) && !comes_again(column, name)) {
        Header::KnownNames
    } else if has(&|column, name| column > 0 && is_missing(name)) {
        Header::MissingInFirst
    } else if has(&|_, name| name.parse::<f64>().is_ok()) {
        Header::NumberInFirst
    } else if has(&|column, name| !name.is_empty() && comes_again(column, name)) {
        Header::ComesAgain
    } else {
        Header::NeverAgain
    }
}

/// Whether these rows are a whole table of counts: the same labels before the lines and above the
/// columns, perhaps with sums behind them.
pub(super) fn is_contingency(rows: &[Vec<String>]) -> bool {
    let Some(((_, heads), below)) =
        rows.split_first().and_then(|(first, below)| Some((first.split_first()?, below)))
    else {
        return false;
    };
    let lines: Vec<_> = below.iter().filter_map(|row| row.split_first()).collect();
    let labels: Vec<String> = lines.iter().map(|(label, _)| (*label).clone()).collect();
    let (heads, labels) = (without_sum(heads, &labels), without_sum(&labels, heads));
    let set = |labels: &[String]| labels.iter().cloned().collect::<BTreeSet<_>>();
    let are_counts = |cells: &[String]| cells.iter().all(|cell| count(cell).is_some());
    heads.len() > 1
        && heads.len() == labels.len()
        && set(heads).len() == heads.len()
        && set(heads) == set(labels)
        && !heads.iter().any(String::is_empty)
        && lines.iter().all(|(_, cells)| are_counts(cells))
}

/// The labels of one side without a last one that can only be a sum, as the other side lacks it.
fn without_sum<'a>(labels: &'a [String], other: &[String]) -> &'a [String] {
    match labels.split_last() {
        Some((last, rest)) if may_be_sum(last) && !other.contains(last) => rest,
        _ => labels,
    }
}

/// Whether a line or a column may hold sums, as its name says; a label may be called so, too.
pub(super) fn may_be_sum(head: &str) -> bool {
    ["total", "totals", "sum", "all", "Σ"].iter().any(|sum| head.eq_ignore_ascii_case(sum))
}

/// The count in a cell; nothing is none.
pub(super) fn count(cell: &str) -> Option<usize> {
    if cell.is_empty() { Some(0) } else { cell.parse().ok() }
}
