//! Layouts in words, and in the first rows of their tables.

use super::Layout;
use crate::read::first_rows::FirstRows;
use crate::read::{Extent, Form, Kind};

/// How many rows are shown of a way to read a table.
const SHOWN_ROWS: usize = 5;

impl Layout {
    /// What lines, columns and cells are taken for.
    pub(in crate::read) fn in_words(&self) -> String {
        let sequence =
            self.sequence.map_or_else(String::new, |it| format!(", sequence {}", self.name(it)));
        let named = |column: Option<usize>| column.map_or("nobody".to_owned(), |it| self.name(it));
        let rater = named(self.raters.first().copied());
        match (self.kind, self.form) {
            (Kind::Unitizing, _) => {
                let [start, end, label] =
                    [self.start, self.end, self.category].map(|column| self.name(column));
                let end_of = match self.extent {
                    Some(Extent::Length) => "length",
                    _ => "end",
                };
                format!(
                    "a line is a unit: rater {rater}, label {label}, start {start}, {end_of} {end}"
                )
            }
            (_, Some(Form::Long)) => format!(
                "a line is a rating: item {}, rater {rater}, label {}{sequence}",
                named(self.item),
                self.name(self.category)
            ),
            (_, Some(Form::Contingency)) => {
                "a cell counts items: one rater gave the line's label, another the column's"
                    .to_owned()
            }
            (_, Some(Form::Counts)) => {
                "a line is an item, a column a label: a cell counts who gave it".to_owned()
            }
            (_, Some(Form::Frequencies)) => {
                let raters: Vec<String> = self.raters.iter().map(|&it| self.name(it)).collect();
                let (raters, frequency) = (raters.join(", "), self.name(self.category));
                format!("a line is a pattern of labels: raters {raters}, frequency {frequency}")
            }
            (_, Some(Form::Rows)) => {
                format!("a line is a rater, named by {rater}; a column is an item")
            }
            (_, Some(Form::Wide) | None) => match self.item {
                Some(item) => {
                    format!(
                        "a line is an item, named by {}{sequence}; a column is a rater",
                        self.name(item)
                    )
                }
                None => format!("a line is an item without a name{sequence}; a column is a rater"),
            },
        }
    }

    /// The first rows as they would be read.
    pub(in crate::read) fn preview(&self, first: &FirstRows) -> Vec<String> {
        let shown = |(place, row): (usize, &Vec<String>)| {
            let cell = |column: usize| row.get(column).map_or("", String::as_str);
            let rater = self.raters.first().copied().unwrap_or_default();
            let item = self.item.map_or_else(|| (place + 1).to_string(), |it| cell(it).to_owned());
            let cells = |columns: &[usize]| {
                let one = |&column: &usize| format!("{}: {}", self.name(column), cell(column));
                columns.iter().map(one).collect::<Vec<_>>().join(", ")
            };
            let others: Vec<usize> = (1..self.width).collect();
            match (self.kind, self.form) {
                (Kind::Unitizing, _) => {
                    let [start, end, label] = [self.start, self.end, self.category].map(cell);
                    format!("{}: {start}, {end}, {label}", cell(rater))
                }
                (_, Some(Form::Long)) => {
                    format!("item {item}: {} says {}", cell(rater), cell(self.category))
                }
                (_, Some(Form::Frequencies)) => {
                    format!("{} times {}", cell(self.category), cells(&self.raters))
                }
                (_, Some(Form::Contingency)) => {
                    format!("one says {}, the other: {}", cell(0), cells(&others))
                }
                (_, Some(Form::Counts)) => {
                    let own: Vec<usize> =
                        (0..self.width).filter(|column| Some(*column) != self.item).collect();
                    format!("item {item}: {}", cells(&own))
                }
                (_, Some(Form::Rows)) => {
                    format!("rater {}: {}", cell(rater), cells(&others))
                }
                (_, Some(Form::Wide) | None) => format!("item {item}: {}", cells(&self.raters)),
            }
        };
        first.rows().iter().enumerate().take(SHOWN_ROWS).map(shown).collect()
    }
}
