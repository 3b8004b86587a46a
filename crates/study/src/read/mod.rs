//! Reads a study from a table, and says what it understood.

mod cells;
mod columns;
mod first_rows;
mod forms;
mod header;
mod options;
pub(crate) mod records;
pub(crate) mod roles;
pub(crate) mod sample;
mod understood;
mod warning;

use std::io::BufRead;

use agreement::consensus::Sequences;
use agreement::{Continuum, Ratings};

pub use cells::missing::Missing;
pub use forms::interpretation::Choice;
pub use header::Header;
pub use options::{Delimiter, Extent, Form, Level, Options};
pub use understood::{Kind, Stretch, Understood};
pub use warning::Warning;

use crate::{Error, Misuse, Problem, Refusal};
use cells::categories::Categories;
use cells::sameness;
use first_rows::FirstRows;
use forms::interpretation::{Interpretation, interpret};
use forms::{contingency, counts, frequencies, long, rows, units, wide};
use records::{Record, Records};
use sample::Sample;

/// A study, and what was understood of the file it comes from.
#[derive(Clone, Debug)]
pub struct Study {
    /// What the file was taken for.
    pub understood: Understood,
    /// What the raters did.
    pub data: Data,
    /// What each category stands for on a scale of numbers; nothing below that level.
    pub scores: Option<Vec<f64>>,
    /// The names of the items, if they were asked for and the file has any.
    pub items: Option<Vec<String>>,
    /// Which items follow each other, if a column was asked for that says so.
    pub sequences: Option<Sequences>,
    /// The evidence against what the file was taken for.
    pub warnings: Vec<Warning>,
}

impl Study {
    /// The name of an item, or its number from 1.
    pub(crate) fn item_name(&self, item: usize) -> String {
        let name = self.items.as_ref().and_then(|names| names.get(item));
        name.cloned().unwrap_or_else(|| (item + 1).to_string())
    }
}

/// What the raters did; a category is its place in [`Understood::categories`].
#[derive(Clone, Debug)]
pub enum Data {
    /// They put items into categories.
    Coding(Ratings<u32>),
    /// They marked units on a continuum.
    Unitizing(Continuum<u32>),
}

/// Reads a study; `progress` hears how many bytes were read, now and then.
///
/// A wide table takes four bytes a rating and nothing else that grows with the lines; a long one
/// also keeps the names of its items, which may come in any order.
pub fn read(
    input: impl BufRead,
    options: &Options,
    mut progress: impl FnMut(u64),
) -> Result<Study, Error> {
    let (sample, input) = Sample::read(input)?;
    let shape = sample.shape(options.delimiter)?;
    let (delimiter, above, width) = (shape.delimiter, shape.above, shape.width);
    let first = FirstRows::new(shape, options);
    let Interpretation { layout, because, warnings, .. } = interpret(&first, options)?;
    let without_items = match (layout.kind, layout.form) {
        (Kind::Unitizing, _) => Some("a study of units"),
        (_, Some(Form::Contingency)) => Some("a contingency table"),
        (_, Some(Form::Counts | Form::Rows | Form::Frequencies)) => Some("a table of this form"),
        _ => None,
    };
    if let (Some(study), Some(_)) = (without_items, layout.sequence) {
        return Err(Misuse::NoItems { option: "sequence", study }.into());
    }
    let mut table = Table {
        records: Records::new(input, delimiter),
        record: Record::default(),
        shape: None,
        width,
        announced: 0,
        progress: &mut progress,
    };
    table.pass(above + layout.above)?;
    if layout.header.is_there() {
        table.next_head()?;
        check_names(&table.record, &layout)?;
    }
    let understood = layout.understood(&first, because, options);
    let categories = Categories::new(options)?;
    let read = match (layout.kind, layout.form) {
        (Kind::Unitizing, _) => units::read,
        (_, Some(Form::Long)) => long::read,
        (_, Some(Form::Contingency)) => contingency::read,
        (_, Some(Form::Counts)) => counts::read,
        (_, Some(Form::Frequencies)) => frequencies::read,
        (_, Some(Form::Rows)) => rows::read,
        (_, Some(Form::Wide) | None) => wide::read,
    };
    let mut study = read(&mut table, &layout, options, categories, understood)?;
    study
        .warnings
        .splice(0..0, warnings.into_iter().chain(similar_raters(&study.understood.raters)));
    if let (true, Some(worst)) = (options.strict, study.warnings.first()) {
        let problem = Problem::Strict(worst.message.clone());
        return Err(Refusal { place: worst.place, problem }.into());
    }
    let bytes = table.records.bytes();
    progress(bytes);
    Ok(study)
}

/// How many bytes are read between two words on progress.
const STEP: u64 = 1 << 20;

/// The records of a file, all with the same number of columns.
struct Table<'a, R> {
    records: Records<R>,
    record: Record,
    /// The number of columns of the first record, and its line.
    shape: Option<(usize, u64)>,
    /// The number of columns of most records: what is empty behind them counts for nothing.
    width: usize,
    announced: u64,
    progress: &'a mut dyn FnMut(u64),
}

impl<R: BufRead> Table<'_, R> {
    /// Reads records that are none of the table.
    fn pass(&mut self, records: usize) -> Result<(), Error> {
        for _ in 0..records {
            self.records.next(&mut self.record)?;
        }
        Ok(())
    }

    /// Reads the record of names, which may lack one for the names of the lines.
    fn next_head(&mut self) -> Result<(), Error> {
        self.next()?;
        if let Some((columns, _)) = &mut self.shape
            && *columns + 1 == self.width
            && matches!(self.records.delimiter(), Delimiter::Tab | Delimiter::Blank)
        {
            *columns = self.width;
        }
        Ok(())
    }

    /// Reads the next record; false at the end.
    fn next(&mut self) -> Result<bool, Error> {
        loop {
            if !self.records.next(&mut self.record)? {
                return Ok(false);
            }
            let width = self.shape.map_or(self.width, |(columns, _)| columns);
            if self.record.len() > width && self.record.is_empty_from(width) {
                self.record.truncate(width);
            }
            let is_remark = self.record.len() != width && self.record.field(0).starts_with('#');
            if !is_remark && !self.record.is_rule() {
                break;
            }
        }
        let found = self.record.len();
        let (expected, first_line) = *self.shape.get_or_insert((found, self.record.line()));
        if found != expected {
            // The first column too many, or the last of too few.
            let index = found.min(expected + 1).saturating_sub(1);
            let problem = Problem::Columns { found, expected, first_line };
            return Err(self.record.refuse(index, problem));
        }
        if self.records.bytes() >= self.announced + STEP {
            self.announced = self.records.bytes();
            (self.progress)(self.announced);
        }
        Ok(true)
    }
}

/// A warning if the names of two raters look the same.
fn similar_raters(raters: &[String]) -> Option<Warning> {
    let mut known = std::collections::BTreeMap::new();
    raters.iter().find_map(|name| {
        let before: &String = known.entry(sameness::key(name)).or_insert(name);
        let difference = sameness::difference(before, name);
        let message =
            format!("“{before}” and “{name}” differ only {difference}, and count as two raters");
        (before != name).then(|| Warning::new("similar_raters", None, message))
    })
}

/// Refuses a name that two raters' columns have.
fn check_names(head: &Record, layout: &columns::Layout) -> Result<(), Error> {
    let mut names = std::collections::BTreeSet::new();
    let is_wide = matches!(layout.form, Some(Form::Wide | Form::Frequencies));
    for &column in layout.raters.iter().filter(|_| is_wide) {
        let name = layout.name(column);
        if !names.insert(name.clone()) {
            return Err(head.refuse(column, Problem::RepeatedColumn(name)));
        }
    }
    Ok(())
}
