//! Which column holds what.

mod names;
pub(crate) mod roles;
mod sequence;
mod words;

use std::collections::BTreeSet;

use super::first_rows::FirstRows;
use super::header::Header;
use super::{Extent, Form, Kind, Options, Understood};
use crate::{Error, Misuse};
use roles::Role;

pub(super) use names::Names;
pub(super) use sequence::SequenceColumn;

/// The most decimals of an offset.
const MOST_DECIMALS: usize = 6;

/// Decimals are looked for in so many rows.
const DECIMAL_ROWS: usize = 200;

/// How a table is laid out.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) kind: Kind,
    pub(super) form: Option<Form>,
    pub(super) header: Header,
    /// The names of the columns, if there is a header.
    pub(super) names: Vec<String>,
    /// The column that names items, if there is one.
    pub(super) item: Option<usize>,
    /// The column that says which sequence an item belongs to, if one was asked for.
    pub(super) sequence: Option<usize>,
    /// The columns of raters in a wide table and one of frequencies; the one that names raters
    /// elsewhere.
    pub(super) raters: Vec<usize>,
    /// The column of categories, or of frequencies.
    pub(super) category: usize,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) extent: Option<Extent>,
    /// How many decimals offsets have.
    pub(super) decimals: u32,
    /// How many records stand above the header.
    pub(super) above: usize,
    width: usize,
}

impl Layout {
    /// A table of which nothing is known but its header, and a column that was asked for.
    pub(super) fn new(first: &FirstRows, options: &Options) -> Result<Self, Error> {
        let mut layout = Self {
            kind: Kind::Coding,
            form: None,
            header: first.header,
            names: first.names.clone(),
            item: None,
            sequence: None,
            raters: Vec::new(),
            category: 0,
            start: 0,
            end: 0,
            extent: None,
            decimals: 0,
            above: 0,
            width: first.width(),
        };
        if let Some(asked) = &options.sequence {
            let columns = layout.select(std::slice::from_ref(asked))?;
            let &[column] = columns.as_slice() else {
                return Err(layout.no_column(asked).into());
            };
            layout.sequence = Some(column);
        }
        Ok(layout)
    }

    /// What is known before the lines are read.
    pub(super) fn understood(
        &self,
        first: &FirstRows,
        because: String,
        options: &Options,
    ) -> Understood {
        let used = self.used();
        Understood {
            kind: self.kind,
            delimiter: first.delimiter,
            delimiter_detected: options.delimiter.is_none(),
            header: self.header,
            form: self.form,
            level: options.level,
            raters: Vec::new(),
            read_as: self.in_words(),
            because,
            other_columns: (0..self.width)
                .filter(|column| !used.contains(column))
                .map(|column| self.name(column))
                .collect(),
            items: 0,
            sequences: None,
            ratings: 0,
            missing: 0,
            missing_as: Vec::new(),
            categories: Vec::new(),
            continuum: None,
            extent: self.extent,
            decimals: self.decimals,
        }
    }

    /// All columns that mean something.
    fn used(&self) -> BTreeSet<usize> {
        let mut used: BTreeSet<usize> = self.raters.iter().copied().collect();
        used.extend(self.item);
        used.extend(self.sequence);
        match (self.kind, self.form) {
            (Kind::Unitizing, _) => used.extend([self.start, self.end, self.category]),
            (_, Some(Form::Long | Form::Frequencies)) => used.extend([self.category]),
            (_, Some(Form::Contingency | Form::Counts | Form::Rows)) => used.extend(0..self.width),
            (_, Some(Form::Wide) | None) => {}
        }
        used
    }

    /// How many columns there are.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// What a column is called; without a header, by its number.
    pub(super) fn name(&self, column: usize) -> String {
        match self.names.get(column) {
            Some(name) if !name.is_empty() => name.clone(),
            _ => format!("column {}", column + 1),
        }
    }

    /// The column that plays a role, as its name says; what names sequences plays no other.
    pub(super) fn find(&self, role: Role) -> Option<usize> {
        let plays = |(column, name): (usize, &String)| {
            (Some(column) != self.sequence && roles::role(name) == Some(role)).then_some(column)
        };
        self.names.iter().enumerate().find_map(plays)
    }

    /// A long table as options say.
    pub(super) fn into_long(mut self, options: &Options) -> Result<Self, Error> {
        let columns = if options.columns.is_empty() {
            let roles = [Role::Item, Role::Rater, Role::Category];
            self.by_role(&roles, "item, the rater and the category")?
        } else {
            self.select(&options.columns)?
        };
        let &[item, rater, category] = columns.as_slice() else {
            return Err(Misuse::ColumnCount { expected: "item, rater and category" }.into());
        };
        self.form = Some(Form::Long);
        (self.item, self.raters, self.category) = (Some(item), vec![rater], category);
        Ok(self)
    }

    /// Units as names of columns and options say.
    pub(super) fn into_units(self, first: &FirstRows, options: &Options) -> Result<Self, Error> {
        let second = match (self.find(Role::Length), self.find(Role::End)) {
            (Some(_), None) => Some(Role::Length),
            (None, Some(_)) => Some(Role::End),
            _ => None,
        };
        let asked = options.units.flatten();
        let second = match asked {
            Some(Extent::Length) => Some(Role::Length),
            Some(Extent::End) => Some(Role::End),
            None => second,
        };
        let columns = if options.columns.is_empty() {
            let roles =
                [Role::Rater, Role::Start, second.ok_or(Misuse::LengthOrEnd)?, Role::Category];
            self.by_role(&roles, "rater, the start, the length or end, and the category")?
        } else {
            self.select(&options.columns)?
        };
        let &[rater, start, end, category] = columns.as_slice() else {
            let expected = "rater, start, length or end, and category";
            return Err(Misuse::ColumnCount { expected }.into());
        };
        let named = self.names.get(end).and_then(|name| roles::role(name));
        let extent = match (asked, named) {
            (Some(extent), _) => extent,
            (None, Some(Role::Length)) => Extent::Length,
            (None, Some(Role::End)) => Extent::End,
            (None, _) => return Err(Misuse::LengthOrEnd.into()),
        };
        let is_timed = self.names.get(start).is_some_and(|name| {
            let name = name.to_lowercase();
            name.contains("time") || name.contains("sec")
        });
        let layout = self.into_units_in([rater, start, end, category], extent);
        // So pygamma has it, in seconds.
        let may_have_decimals = layout.category < layout.start && extent == Extent::End;
        Ok(if may_have_decimals || is_timed { layout.with_decimals(first) } else { layout })
    }

    /// Units in these columns: rater, start, second number, category.
    pub(super) fn into_units_in(mut self, columns: [usize; 4], extent: Extent) -> Self {
        let [rater, start, end, category] = columns;
        (self.raters, self.start, self.end, self.category) = (vec![rater], start, end, category);
        (self.kind, self.extent) = (Kind::Unitizing, Some(extent));
        self
    }

    /// Units whose ends have as many decimals as they have in the first rows.
    pub(super) fn with_decimals(mut self, first: &FirstRows) -> Self {
        let rows = first.all.iter().take(DECIMAL_ROWS);
        let most = rows
            .flat_map(|row| [row.get(self.start), row.get(self.end)])
            .flatten()
            .filter_map(|cell| cell.split_once('.'))
            .map(|(_, decimals)| decimals.trim_end_matches('0').len().min(MOST_DECIMALS))
            .max();
        self.decimals = most.and_then(|most| u32::try_from(most).ok()).unwrap_or(0);
        self
    }

    /// The columns by their names, or in this order if there are just so many without names.
    fn by_role(&self, roles: &[Role], wanted: &'static str) -> Result<Vec<usize>, Error> {
        let found: Option<Vec<usize>> = roles.iter().map(|&role| self.find(role)).collect();
        match found {
            Some(columns) => Ok(columns),
            None if self.names.is_empty() && self.width == roles.len() => {
                Ok((0..self.width).collect())
            }
            None => Err(Misuse::UnknownColumns { wanted }.into()),
        }
    }

    /// Columns by name, by number from 1, or by a range of numbers.
    pub(super) fn select(&self, asked: &[String]) -> Result<Vec<usize>, Error> {
        let (mut columns, mut known) = (Vec::new(), BTreeSet::new());
        for name in asked {
            let found = match self.names.iter().position(|column| column == name) {
                Some(column) => Some((column, column)),
                None => numbers(name).filter(|&(first, last)| first <= last && last < self.width),
            };
            let (first, last) = found.ok_or_else(|| self.no_column(name))?;
            for column in first..=last {
                if !known.insert(column) {
                    return Err(Misuse::Twice(self.name(column)).into());
                }
                columns.push(column);
            }
        }
        Ok(columns)
    }

    fn no_column(&self, asked: &str) -> Misuse {
        let columns = (0..self.width).map(|column| self.name(column)).collect();
        Misuse::NoColumn { asked: asked.to_owned(), columns }
    }
}

/// `3` or `3-5`, from 1, as places from 0.
fn numbers(text: &str) -> Option<(usize, usize)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let place = |number: &str| number.trim().parse::<usize>().ok()?.checked_sub(1);
    Some((place(first)?, place(last)?))
}
