//! Reads a study from a table, and says what it understood.

mod categories;
mod columns;
mod contingency;
pub(crate) mod header;
mod long;
mod options;
pub(crate) mod records;
pub(crate) mod sample;
mod understood;
mod units;
mod wide;

use std::io::BufRead;

use agreement::consensus::Sequences;
use agreement::{Continuum, Ratings};

pub use header::Header;
pub use options::{Delimiter, Extent, Form, Level, Options};
pub use understood::{Kind, Stretch, Understood};

use crate::{Error, Misuse};
use categories::Categories;
use columns::Layout;
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
    let (delimiter, rows) = sample.shape(options.delimiter)?;
    let layout = Layout::detect(&rows, options)?;
    let without_items = match (layout.kind, layout.form) {
        (Kind::Unitizing, _) => Some("a study of units"),
        (_, Some(Form::Contingency)) => Some("a contingency table"),
        _ => None,
    };
    if let (Some(study), Some(_)) = (without_items, layout.sequence) {
        return Err(Misuse::NoItems { option: "sequence", study }.into());
    }
    let mut table = Table {
        records: Records::new(input, delimiter),
        record: Record::default(),
        shape: None,
        announced: 0,
        progress: &mut progress,
    };
    if layout.header.is_there() {
        table.next()?;
    }
    let understood = layout.understood(delimiter, &rows, options);
    let categories = Categories::new(options)?;
    let study = match layout.kind {
        Kind::Coding if layout.form == Some(Form::Long) => {
            long::read(&mut table, &layout, options, categories, understood)
        }
        Kind::Coding if layout.form == Some(Form::Contingency) => {
            contingency::read(&mut table, &layout, options, categories, understood)
        }
        Kind::Coding => wide::read(&mut table, &layout, options, categories, understood),
        Kind::Unitizing => units::read(&mut table, &layout, options, categories, understood),
    }?;
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
    announced: u64,
    progress: &'a mut dyn FnMut(u64),
}

impl<R: BufRead> Table<'_, R> {
    /// Reads the next record; false at the end.
    fn next(&mut self) -> Result<bool, Error> {
        if !self.records.next(&mut self.record)? {
            return Ok(false);
        }
        let found = self.record.len();
        let (expected, first_line) = *self.shape.get_or_insert((found, self.record.line()));
        if found != expected {
            // The first column too many, or the last of too few.
            let index = found.min(expected + 1).saturating_sub(1);
            let problem = crate::Problem::Columns { found, expected, first_line };
            return Err(self.record.refuse(index, problem));
        }
        if self.records.bytes() >= self.announced + STEP {
            self.announced = self.records.bytes();
            (self.progress)(self.announced);
        }
        Ok(true)
    }
}
