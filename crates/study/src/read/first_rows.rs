//! The first rows of a table, with facts about its columns.

use std::collections::{BTreeMap, BTreeSet};

use super::cells::missing;
use super::cells::sameness::{is_number, key};
use super::header::{self, Header};
use super::sample::Shape;
use super::{Delimiter, Options};
use crate::Place;
use crate::read::columns::roles::{self, Role};

/// The first rows of a table.
pub(super) struct FirstRows {
    pub(super) delimiter: Delimiter,
    pub(super) header: Header,
    /// All rows, the header among them.
    pub(super) all: Vec<Vec<String>>,
    /// The names of the columns; nothing without a header.
    pub(super) names: Vec<String>,
    pub(super) columns: Vec<Column>,
    /// Where each field of the first row stands.
    pub(super) places: Vec<Place>,
    /// True if these are all rows.
    pub(super) is_whole: bool,
}

/// A column, its values compared by their [`key`].
pub(super) struct Column {
    pub(super) role: Option<Role>,
    /// A value for each row; none where it is missing.
    pub(super) values: Vec<Option<String>>,
    counts: BTreeMap<String, usize>,
}

impl FirstRows {
    pub(super) fn new(shape: Shape, options: &Options) -> Self {
        let Shape { delimiter, rows: all, places, is_whole, .. } = shape;
        let header = match options.header {
            Some(true) => Header::Given,
            Some(false) => Header::Denied,
            None => header::detect(&all, &options.missing),
        };
        let names = match all.first() {
            Some(first) if header.is_there() => first.clone(),
            _ => Vec::new(),
        };
        let below = all.iter().skip(usize::from(header.is_there()));
        let column = |place: usize| {
            let cells = below.clone().map(|row| row.get(place).map_or("", String::as_str));
            Column::new(names.get(place).map_or("", String::as_str), cells)
        };
        let columns = (0..all.first().map_or(0, Vec::len)).map(column).collect();
        Self { delimiter, header, all, names, columns, places, is_whole }
    }

    pub(super) fn width(&self) -> usize {
        self.columns.len()
    }

    /// The rows below the header.
    pub(super) fn rows(&self) -> &[Vec<String>] {
        self.all.get(usize::from(self.header.is_there())..).unwrap_or_default()
    }

    /// What a column is called; without a header, by its number.
    pub(super) fn name(&self, column: usize) -> String {
        match self.names.get(column) {
            Some(name) if !name.is_empty() => name.clone(),
            _ => format!("column {}", column + 1),
        }
    }

    /// Names of columns in quotes, with commas between.
    pub(super) fn quoted(&self, columns: &[usize]) -> String {
        let names: Vec<String> =
            columns.iter().map(|&column| format!("“{}”", self.name(column))).collect();
        names.join(", ")
    }

    /// The columns that play a role by their names.
    pub(super) fn playing(&self, role: Role) -> Vec<usize> {
        let plays = |column: &usize| self.column(*column).is_some_and(|it| it.role == Some(role));
        (0..self.width()).filter(plays).collect()
    }

    pub(super) fn column(&self, place: usize) -> Option<&Column> {
        self.columns.get(place)
    }

    /// True if no two lines have the same values in these columns.
    pub(super) fn is_once(&self, columns: &[usize]) -> bool {
        let mut seen = BTreeSet::new();
        let columns: Vec<&Column> =
            columns.iter().filter_map(|&column| self.column(column)).collect();
        (0..self.rows().len()).all(|row| {
            seen.insert(columns.iter().map(|column| column.values.get(row)).collect::<Vec<_>>())
        })
    }
}

impl Column {
    fn new<'a>(name: &str, cells: impl Iterator<Item = &'a str>) -> Self {
        let value = |cell: &str| (!missing::is_usual(cell)).then(|| key(cell));
        let values: Vec<Option<String>> = cells.map(value).collect();
        let mut counts = BTreeMap::new();
        for value in values.iter().flatten() {
            *counts.entry(value.clone()).or_default() += 1;
        }
        let role = roles::role(name);
        let column = Self { role, values, counts };
        // “no” is a common label, and the name of a rater who is called so.
        let is_number = ["no", "nr", "n"].contains(&name.to_lowercase().as_str());
        let is_other = is_number && role == Some(Role::Item) && !column.is_unique();
        Self { role: role.filter(|_| !is_other), ..column }
    }

    /// How many different values there are.
    pub(super) fn distinct(&self) -> usize {
        self.counts.len()
    }

    /// How many lines have a value.
    pub(super) fn filled(&self) -> usize {
        self.counts.values().sum()
    }

    /// True if each line has a value of its own.
    pub(super) fn is_unique(&self) -> bool {
        self.distinct() == self.values.len()
    }

    /// True if a value comes again.
    pub(super) fn repeats(&self) -> bool {
        self.distinct() < self.filled()
    }

    /// True if all are numbers, or none is.
    pub(super) fn kind(&self) -> Option<bool> {
        let numbers = self.counts.keys().filter(|value| is_number(value)).count();
        match (numbers, self.distinct()) {
            (_, 0) => None,
            (0, _) => Some(false),
            (numbers, all) => (numbers == all).then_some(true),
        }
    }

    /// True if a value is a number with a part that is not whole.
    pub(super) fn has_decimals(&self) -> bool {
        self.counts.keys().any(|value| is_number(value) && value.contains('.'))
    }

    /// True if these are measurements, such as times, of which most occur once.
    pub(super) fn is_measured(&self) -> bool {
        self.kind() == Some(true) && self.has_decimals() && self.distinct() * 2 > self.filled()
    }

    pub(super) fn are_whole_numbers(&self) -> bool {
        self.distinct() > 0 && self.counts.keys().all(|value| value.parse::<u64>().is_ok())
    }

    /// How many values another column has, too.
    pub(super) fn shared(&self, other: &Self) -> usize {
        self.counts.keys().filter(|value| other.counts.contains_key(*value)).count()
    }

    pub(super) fn is_apart(&self, other: &Self) -> bool {
        self.shared(other) == 0
    }

    /// True if the numbers rise from line to line.
    pub(super) fn rises(&self) -> bool {
        let numbers: Option<Vec<f64>> =
            self.values.iter().map(|value| value.as_ref()?.parse().ok()).collect();
        numbers.is_some_and(|numbers| numbers.is_sorted_by(|a, b| a < b))
    }

    /// True if these are the numbers from 0 or 1 up.
    pub(super) fn is_index(&self) -> bool {
        let counts_from = |start: usize| {
            let mut numbers = self.values.iter().zip(start..);
            numbers.all(|(value, number)| value.as_ref() == Some(&number.to_string()))
        };
        counts_from(0) || counts_from(1)
    }

    /// True if equal values stand side by side, as items do that have several lines each.
    pub(super) fn is_grouped(&self) -> bool {
        let neighbours = self.values.iter().zip(self.values.iter().skip(1));
        let changes = 1 + neighbours.filter(|(before, after)| before != after).count();
        let come_again = self.counts.values().all(|&count| count > 1);
        self.distinct() > 2 && come_again && changes == self.distinct()
    }
}
