//! Whether the first line of a table holds names, and what the names mean.

use super::Header;

/// What a column holds, as its name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Item,
    Rater,
    Category,
    Start,
    End,
    Length,
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
    (Role::Start, "start begin offset from"),
    (Role::End, "end stop to"),
    (Role::Length, "length duration len"),
];

/// What a name says about its column.
pub(super) fn role(name: &str) -> Option<Role> {
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
    if has(&|column, name| role(name).is_some() && !comes_again(column, name)) {
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
