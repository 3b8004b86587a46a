//! Reads a study from a table, and says what it understood.

mod cells;
pub(crate) mod columns;
mod first_rows;
mod forms;
mod header;
mod options;
pub(crate) mod records;
pub(crate) mod sample;
mod study;
mod table;
mod understood;

use std::io::BufRead;

pub use cells::missing::Missing;
pub use forms::choice::Choice;
pub use forms::warning::Warning;
pub use header::Header;
pub use options::{Delimiter, Extent, Form, Level, Options};
pub use study::{Data, Study};
pub use understood::{Kind, Stretch, Understood};

use crate::{Error, Misuse, Problem, Refusal};
use cells::categories::Categories;
use cells::sameness;
use first_rows::FirstRows;
use forms::interpretation::Interpretation;
use forms::{contingency, counts, frequencies, interpret, long, rows, units, wide};
use records::{Record, Records};
use sample::Sample;
use table::Table;

/// The most columns of a table: forms compare each with each other.
const MAX_COLUMNS: usize = 10_000;

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
    if width > MAX_COLUMNS {
        return Err(Refusal { place: None, problem: Problem::TooManyColumns(width) }.into());
    }
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
