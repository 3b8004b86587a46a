//! Which column holds what.

mod names;
mod sequence;

use std::collections::BTreeSet;

use super::header::{self, Header, Role};
use super::{Delimiter, Extent, Form, Kind, Options, Understood};
use crate::{Error, Misuse, Place, Problem, Refusal};

pub(super) use names::Names;
pub(super) use sequence::SequenceColumn;

/// In fewer lines no value need come again.
const FEWEST_LINES: usize = 5;

/// A sample of fewer rows is the whole file.
const WHOLE: usize = 200;

/// The most decimals of an offset.
const MOST_DECIMALS: usize = 6;

/// How a table is laid out.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) kind: Kind,
    pub(super) form: Option<Form>,
    pub(super) header: Header,
    /// The names of the columns, if there is a header.
    names: Vec<String>,
    /// The column that names items, if there is one.
    pub(super) item: Option<usize>,
    /// The column that says which sequence an item belongs to, if one was asked for.
    pub(super) sequence: Option<usize>,
    /// The columns of raters in a wide table; the one that names raters elsewhere.
    pub(super) raters: Vec<usize>,
    pub(super) category: usize,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) extent: Option<Extent>,
    /// How many decimals offsets have.
    pub(super) decimals: u32,
    width: usize,
}

impl Layout {
    /// Finds out from the first rows and the options.
    pub(super) fn detect(rows: &[Vec<String>], options: &Options) -> Result<Self, Error> {
        let missing = options.missing();
        let is_missing = |cell: &str| cell.is_empty() || missing.iter().any(|token| token == cell);
        let header = match options.header {
            Some(true) => Header::Given,
            Some(false) => Header::Denied,
            None => header::detect(rows, is_missing),
        };
        let width = rows.first().map_or(0, Vec::len);
        let names = match rows.first() {
            Some(first) if header.is_there() => first.clone(),
            _ => Vec::new(),
        };
        let mut layout = Self {
            kind: Kind::Coding,
            form: None,
            header,
            names,
            item: None,
            sequence: None,
            raters: Vec::new(),
            category: 0,
            start: 0,
            end: 0,
            extent: None,
            decimals: 0,
            width,
        };
        if let Some(asked) = &options.sequence {
            let columns = layout.select(std::slice::from_ref(asked), width)?;
            let &[column] = columns.as_slice() else {
                return Err(layout.no_column(asked, width).into());
            };
            layout.sequence = Some(column);
        }
        let is_free = options.form.is_none() && options.units.is_none();
        let is_asked = options.form == Some(Form::Contingency);
        let has_columns =
            !options.raters.is_empty() || !options.columns.is_empty() || options.sequence.is_some();
        let names_items = rows
            .first()
            .and_then(|first| first.first())
            .is_some_and(|head| header::role(head) == Some(Role::Item));
        let may_be_counts = is_free && header != Header::Denied && !has_columns && !names_items;
        if is_asked || may_be_counts && rows.len() < WHOLE && header::is_contingency(rows) {
            layout.take_contingency(rows);
            return Ok(layout);
        }
        if is_free && options.columns.is_empty() && !header.is_there() && are_named_stretches(rows)
        {
            layout.take_units_of([0, 2, 3, 1], Extent::End);
            layout.decimals = layout.decimals_of(rows);
            return Ok(layout);
        }
        let of_units = [Role::Rater, Role::Start, Role::Category];
        let has_units = of_units.iter().all(|&role| layout.find(role).is_some())
            && (layout.find(Role::Length).is_some() || layout.find(Role::End).is_some());
        let of_ratings = [Role::Item, Role::Rater, Role::Category];
        let has_ratings = of_ratings.iter().all(|&role| layout.find(role).is_some());
        if options.units.is_some() || (has_units && options.form.is_none()) {
            layout.take_units(options, width)?;
            // So pygamma has it, in seconds.
            if layout.category < layout.start && layout.extent == Some(Extent::End) {
                layout.decimals = layout.decimals_of(rows);
            }
        } else if options.form == Some(Form::Long) || (has_ratings && options.form.is_none()) {
            layout.take_long(options, width)?;
        } else {
            layout.take_wide(options, width)?;
        }
        Ok(layout)
    }

    /// What is known before the lines are read.
    pub(super) fn understood(
        &self,
        delimiter: Delimiter,
        rows: &[Vec<String>],
        options: &Options,
    ) -> Understood {
        let width = rows.first().map_or(0, Vec::len);
        let used = self.used();
        Understood {
            kind: self.kind,
            delimiter,
            delimiter_detected: options.delimiter.is_none(),
            header: self.header,
            form: self.form,
            level: options.level,
            raters: Vec::new(),
            read_as: self.in_words(),
            other_columns: (0..width)
                .filter(|column| !used.contains(column))
                .map(|column| self.name(column))
                .collect(),
            suspicious: self
                .suspicious(rows, options)
                .into_iter()
                .map(|column| self.name(column))
                .collect(),
            items: 0,
            sequences: None,
            ratings: 0,
            missing: 0,
            missing_as: options.missing(),
            categories: Vec::new(),
            continuum: None,
            extent: self.extent,
            decimals: self.decimals,
        }
    }

    /// What lines, columns and cells are taken for.
    fn in_words(&self) -> String {
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
            (Kind::Coding, Some(Form::Long)) => format!(
                "a line is a rating: item {}, rater {rater}, label {}{sequence}",
                named(self.item),
                self.name(self.category)
            ),
            (Kind::Coding, Some(Form::Contingency)) => {
                "a cell counts items: one rater gave the line's label, another the column's"
                    .to_owned()
            }
            (Kind::Coding, _) => match self.item {
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

    /// All columns that mean something.
    fn used(&self) -> BTreeSet<usize> {
        let mut used: BTreeSet<usize> = self.raters.iter().copied().collect();
        used.extend(self.item);
        used.extend(self.sequence);
        match (self.kind, self.form) {
            (Kind::Unitizing, _) => used.extend([self.start, self.end, self.category]),
            (Kind::Coding, Some(Form::Long)) => used.extend([self.category]),
            (Kind::Coding, Some(Form::Contingency)) => used.extend(0..self.width),
            (Kind::Coding, _) => {}
        }
        used
    }

    /// Raters' columns that nobody asked for in which no value comes again, though values do in
    /// others, or which share no value with another, though others do: they may name items or groups.
    fn suspicious(&self, rows: &[Vec<String>], options: &Options) -> Vec<usize> {
        let is_chosen = self.form != Some(Form::Wide) || !options.raters.is_empty();
        let lines = rows.len() - usize::from(self.header.is_there() && !rows.is_empty());
        if is_chosen || lines < FEWEST_LINES {
            return Vec::new();
        }
        let values = |column: usize| -> BTreeSet<&String> {
            rows.iter().skip(rows.len() - lines).filter_map(|row| row.get(column)).collect()
        };
        let values: Vec<(usize, BTreeSet<&String>)> =
            self.raters.iter().map(|column| (*column, values(*column))).collect();
        let is_other = |(column, own): &&(usize, BTreeSet<&String>)| {
            let mut others = values.iter().filter(|(other, _)| other != column);
            own.len() == lines || others.all(|(_, other)| own.is_disjoint(other))
        };
        let found: Vec<usize> = values.iter().filter(is_other).map(|(column, _)| *column).collect();
        if found.len() == values.len() { Vec::new() } else { found }
    }

    /// What a column is called; without a header, by its number.
    pub(super) fn name(&self, column: usize) -> String {
        match self.names.get(column) {
            Some(name) if !name.is_empty() => name.clone(),
            _ => format!("column {}", column + 1),
        }
    }

    /// The column that plays a role, as its name says; what names sequences plays no other.
    fn find(&self, role: Role) -> Option<usize> {
        let plays = |(column, name): (usize, &String)| {
            (Some(column) != self.sequence && header::role(name) == Some(role)).then_some(column)
        };
        self.names.iter().enumerate().find_map(plays)
    }

    fn take_wide(&mut self, options: &Options, width: usize) -> Result<(), Error> {
        self.form = Some(Form::Wide);
        if !options.columns.is_empty() {
            let expected = "the columns of a long table or of units; in a wide one use --raters";
            return Err(Misuse::ColumnCount { expected }.into());
        }
        let first = self.names.first().filter(|name| name.is_empty()).map(|_| 0);
        let first = first.filter(|column| Some(*column) != self.sequence);
        let item = first.or_else(|| self.find(Role::Item));
        let is_beside = |column: usize| {
            let role = self.names.get(column).and_then(|name| header::role(name));
            matches!(role, Some(Role::Item | Role::Aside))
        };
        self.raters = if options.raters.is_empty() {
            let all = (0..width).filter(|&column| ![item, self.sequence].contains(&Some(column)));
            let (beside, raters): (Vec<usize>, Vec<usize>) =
                all.partition(|&column| is_beside(column));
            if raters.is_empty() { beside } else { raters }
        } else {
            self.select(&options.raters, width)?
        };
        self.item = item.filter(|column| !self.raters.contains(column));
        let mut names = BTreeSet::new();
        for &column in &self.raters {
            let name = self.name(column);
            if !names.insert(name.clone()) {
                let place = Some(Place { line: 1, column: 1 });
                return Err(Refusal { place, problem: Problem::RepeatedColumn(name) }.into());
            }
        }
        Ok(())
    }

    fn take_long(&mut self, options: &Options, width: usize) -> Result<(), Error> {
        self.form = Some(Form::Long);
        let columns = if options.columns.is_empty() {
            let roles = [Role::Item, Role::Rater, Role::Category];
            self.by_role(&roles, width, "item, the rater and the category")?
        } else {
            self.select(&options.columns, width)?
        };
        let &[item, rater, category] = columns.as_slice() else {
            return Err(Misuse::ColumnCount { expected: "item, rater and category" }.into());
        };
        (self.item, self.raters, self.category) = (Some(item), vec![rater], category);
        Ok(())
    }

    fn take_units(&mut self, options: &Options, width: usize) -> Result<(), Error> {
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
            self.by_role(&roles, width, "rater, the start, the length or end, and the category")?
        } else {
            self.select(&options.columns, width)?
        };
        let &[rater, start, end, category] = columns.as_slice() else {
            let expected = "rater, start, length or end, and category";
            return Err(Misuse::ColumnCount { expected }.into());
        };
        let named = self.names.get(end).and_then(|name| header::role(name));
        let extent = match (asked, named) {
            (Some(extent), _) => extent,
            (None, Some(Role::Length)) => Extent::Length,
            (None, Some(Role::End)) => Extent::End,
            (None, _) => return Err(Misuse::LengthOrEnd.into()),
        };
        self.take_units_of([rater, start, end, category], extent);
        Ok(())
    }

    fn take_units_of(&mut self, columns: [usize; 4], extent: Extent) {
        let [rater, start, end, category] = columns;
        (self.raters, self.start, self.end, self.category) = (vec![rater], start, end, category);
        (self.kind, self.extent) = (Kind::Unitizing, Some(extent));
    }

    fn take_contingency(&mut self, rows: &[Vec<String>]) {
        self.form = Some(Form::Contingency);
        self.header = Header::KnownNames;
        self.names = rows.first().cloned().unwrap_or_default();
    }

    /// How many decimals the ends of units have.
    fn decimals_of(&self, rows: &[Vec<String>]) -> u32 {
        let cells = rows.iter().flat_map(|row| [row.get(self.start), row.get(self.end)]);
        let most = cells
            .flatten()
            .filter_map(|cell| cell.split_once('.'))
            .map(|(_, decimals)| decimals.trim_end_matches('0').len().min(MOST_DECIMALS));
        most.max().and_then(|most| u32::try_from(most).ok()).unwrap_or(0)
    }

    /// How many columns there are.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The columns by their names, or in this order if there are just so many without names.
    fn by_role(
        &self,
        roles: &[Role],
        width: usize,
        wanted: &'static str,
    ) -> Result<Vec<usize>, Error> {
        let found: Option<Vec<usize>> = roles.iter().map(|&role| self.find(role)).collect();
        match found {
            Some(columns) => Ok(columns),
            None if self.names.is_empty() && width == roles.len() => Ok((0..width).collect()),
            None => Err(Misuse::UnknownColumns { wanted }.into()),
        }
    }

    /// Columns by name, by number from 1, or by a range of numbers.
    fn select(&self, asked: &[String], width: usize) -> Result<Vec<usize>, Error> {
        let (mut columns, mut known) = (Vec::new(), BTreeSet::new());
        for name in asked {
            let found = match self.names.iter().position(|column| column == name) {
                Some(column) => Some((column, column)),
                None => numbers(name).filter(|&(first, last)| first <= last && last < width),
            };
            let (first, last) = found.ok_or_else(|| self.no_column(name, width))?;
            for column in first..=last {
                if !known.insert(column) {
                    return Err(Misuse::Twice(self.name(column)).into());
                }
                columns.push(column);
            }
        }
        Ok(columns)
    }

    fn no_column(&self, asked: &str, width: usize) -> Misuse {
        let columns = (0..width).map(|column| self.name(column)).collect();
        Misuse::NoColumn { asked: asked.to_owned(), columns }
    }
}

/// Whether these are, without names of columns, who marked a stretch, as what, its start and its end.
fn are_named_stretches(rows: &[Vec<String>]) -> bool {
    let number = |cell: &String| cell.parse::<f64>().ok();
    rows.len() > 1
        && rows.iter().all(|row| match row.as_slice() {
            [rater, label, start, end] => {
                let is_word = |cell: &String| !cell.is_empty() && number(cell).is_none();
                let is_stretch = number(start).zip(number(end)).is_some_and(|(a, b)| a < b);
                is_word(rater) && is_word(label) && is_stretch
            }
            _ => false,
        })
}

/// `3` or `3-5`, from 1, as places from 0.
fn numbers(text: &str) -> Option<(usize, usize)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let place = |number: &str| number.trim().parse::<usize>().ok()?.checked_sub(1);
    Some((place(first)?, place(last)?))
}
