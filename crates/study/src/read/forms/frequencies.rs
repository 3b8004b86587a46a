//! Patterns of labels with their frequency: a line for all items that raters gave the same labels.

use std::io::BufRead;

use super::counted::{MOST_COUNTED, count, is_called_sum};
use super::interpretation::{Interpretation, Standing};
use super::wide;
use crate::read::cells::categories::Categories;
use crate::read::columns::Layout;
use crate::read::columns::roles::Role;
use crate::read::first_rows::{Column, FirstRows};
use crate::read::table::Table;
use crate::read::{Form, Options, Study, Understood};
use crate::{Error, Misuse, Problem};

/// In fewer lines a shape proves nothing.
const FEWEST_LINES: usize = 3;

/// The table of frequencies that this may be.
pub(in crate::read) fn interpret(first: &FirstRows, layout: &Layout) -> Option<Interpretation> {
    let named = first.playing(Role::Frequency);
    let last = first.width().checked_sub(1)?;
    let frequency = named.first().copied().unwrap_or(last);
    let raters: Vec<usize> = (0..first.width()).filter(|&column| column != frequency).collect();
    let counts = first.column(frequency)?;
    let columns: Vec<&Column> = raters.iter().filter_map(|&column| first.column(column)).collect();
    let is_named = !named.is_empty();
    let shares = |one: &Column| {
        columns.iter().any(|other| !std::ptr::eq(*other, one) && !one.is_apart(other))
    };
    let are_ratings = columns.len() > 1
        && columns.iter().all(|column| shares(column) && !matches!(column.role, Some(Role::Item)));
    let lines = first.rows().len();
    if !are_ratings || !counts.are_whole_numbers() || lines < 2 || !first.is_once(&raters) {
        return None;
    }
    let all = columns.iter().map(|column| column.distinct()).fold(1, usize::saturating_mul);
    let is_apart = columns.iter().all(|column| column.is_apart(counts));
    let is_whole = lines == all && lines > FEWEST_LINES;
    let are_words = columns.iter().all(|column| column.kind() == Some(false));
    let standing = match (is_named, is_whole, is_apart && are_words) {
        (true, _, _) | (_, true, true) => Standing::Proven,
        (_, true, _) | (_, _, true) if lines >= FEWEST_LINES => Standing::Possible,
        _ => return None,
    };
    let because = if is_named {
        "the heading of the frequency is known, and no pattern of labels comes twice"
    } else {
        "a column holds whole numbers, and no pattern of labels comes twice"
    };
    let mut table = layout.clone();
    (table.form, table.raters, table.category) = (Some(Form::Frequencies), raters, frequency);
    Some(Interpretation::new(table, standing, because))
}

/// The table as an option asks for it: the last column is the frequency unless one is called so.
pub(in crate::read) fn asked(
    first: &FirstRows,
    layout: &Layout,
    options: &Options,
) -> Result<Layout, Error> {
    let mut table = layout.clone();
    let last = first.width().saturating_sub(1);
    let frequency = layout.find(Role::Frequency).unwrap_or(last);
    let raters = if options.raters.is_empty() {
        (0..first.width()).filter(|&column| column != frequency).collect()
    } else {
        layout.select(&options.raters)?
    };
    if raters.len() < 2 || raters.contains(&frequency) {
        let expected = "the columns of raters, and not that of the frequency";
        return Err(Misuse::RaterColumns { expected }.into());
    }
    (table.form, table.raters, table.category) = (Some(Form::Frequencies), raters, frequency);
    Ok(table)
}

pub(in crate::read) fn read<R: BufRead>(
    table: &mut Table<'_, R>,
    layout: &Layout,
    options: &Options,
    mut categories: Categories,
    mut understood: Understood,
) -> Result<Study, Error> {
    let mut columns: Vec<Vec<u32>> = Vec::new();
    columns.resize_with(layout.raters.len(), Vec::new);
    while table.next()? {
        let record = &table.record;
        let cell = record.field(layout.category);
        let problem = || Problem::NotACount(cell.to_owned());
        let more = count(cell).ok_or_else(|| record.refuse(layout.category, problem()))?;
        let more = usize::try_from(more).unwrap_or(usize::MAX);
        let mut labels = layout.raters.iter().map(|&column| record.field(column));
        let is_sum = labels.next().is_some_and(is_called_sum) && labels.all(str::is_empty);
        if is_sum && columns.first().is_some_and(|codes| codes.len() == more) {
            continue;
        }
        for (&column, codes) in layout.raters.iter().zip(&mut columns) {
            let code = categories.code(record, column)?;
            let length = codes.len().saturating_add(more);
            if length.saturating_mul(layout.raters.len()) > MOST_COUNTED {
                return Err(record.refuse(layout.category, Problem::TooManyCounted));
            }
            codes.resize(length, code);
        }
    }
    understood.raters = layout.raters.iter().map(|&column| layout.name(column)).collect();
    let names = options.item_names.then(Vec::new);
    wide::study(columns, categories, understood, names, None)
}
