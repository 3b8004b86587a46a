//! Counts of items by categories: in each cell how many raters gave an item the label of the column.

use std::collections::BTreeSet;
use std::io::BufRead;

use agreement::MISSING;

use super::counted::{Counted, MOST_COUNTED, is_called_sum, numbered};
use super::interpretation::{Interpretation, Standing};
use super::wide;
use crate::read::cells::categories::Categories;
use crate::read::columns::Layout;
use crate::read::columns::roles::Role;
use crate::read::first_rows::FirstRows;
use crate::read::header::Header;
use crate::read::table::Table;
use crate::read::{Form, Options, Study, Understood};
use crate::{Error, Problem};

/// In so many lines equal sums are no coincidence.
const MANY_LINES: usize = 5;

/// The table of counts that this may be.
pub(in crate::read) fn interpret(first: &FirstRows, layout: &Layout) -> Option<Interpretation> {
    let column = first.column(0)?;
    let names_items = column.role == Some(Role::Item) || !column.are_whole_numbers();
    let named = (column.is_unique() || column.role == Some(Role::Item))
        .then(|| interpret_with(first, layout, Some(0)))
        .flatten();
    if names_items { named } else { interpret_with(first, layout, None).or(named) }
}

/// The table of counts that this may be if this column names items.
fn interpret_with(
    first: &FirstRows,
    layout: &Layout,
    label: Option<usize>,
) -> Option<Interpretation> {
    // Numbers above numbers may number the categories.
    let head = first.all.first()?;
    let is_index = !first.header.is_there()
        && first.header != Header::Denied
        && label.is_none()
        && (0..2).any(|start: usize| {
            head.iter().zip(start..).all(|(cell, place)| *cell == place.to_string())
        });
    let has_heads = first.header.is_there() || is_index;
    let mut table = Counted::of_rows(&first.all, has_heads, label);
    if !table.looks_counted() || table.lines.iter().any(|line| table.counts(line).is_err()) {
        return None;
    }
    let sums = table.sums();
    // Wrong sums are refused when the file is read.
    table.drop_sums(sums).ok()?;
    let (heads, lines) = (table.heads.len(), table.lines.len());
    let per_item = table.line_sums();
    let all = per_item.first().copied().filter(|&sum| sum > 1)?;
    let is_constant = per_item.iter().all(|&sum| sum == all);
    let values = table.lines.iter().filter_map(|line| table.counts(line).ok()).flatten();
    let different = values.collect::<BTreeSet<_>>().len();
    if heads < 2 || lines < 3 || different < 2 || !(is_constant || sums.right) {
        return None;
    }
    let is_certain = lines >= MANY_LINES && (heads > 2 || different > 2) && !is_index;
    let standing = if is_certain { Standing::Proven } else { Standing::Possible };
    let because = if is_constant {
        "the counts of each line add up to the same number"
    } else {
        "the last column adds up the others"
    };
    let mut counts = layout.clone();
    (counts.form, counts.item) = (Some(Form::Counts), label);
    if is_index {
        (counts.header, counts.names) = (Header::KnownNames, head.clone());
    }
    Some(Interpretation::new(counts, standing, because))
}

/// The table as an option asks for it.
pub(in crate::read) fn asked(first: &FirstRows, layout: &Layout) -> Layout {
    if let Some(found) = interpret(first, layout) {
        return found.layout;
    }
    let mut table = layout.clone();
    let is_item = first.column(0).is_some_and(|column| {
        column.role == Some(Role::Item)
            || !column.are_whole_numbers()
            || first.names.first().is_some_and(String::is_empty)
    });
    (table.form, table.item) = (Some(Form::Counts), is_item.then_some(0));
    table
}

pub(in crate::read) fn read<R: BufRead>(
    table: &mut Table<'_, R>,
    layout: &Layout,
    options: &Options,
    mut categories: Categories,
    mut understood: Understood,
) -> Result<Study, Error> {
    let label = layout.item;
    let first = usize::from(label.is_some());
    let width = layout.width().saturating_sub(first);
    let places = (0..).map(|column| table.record.place(column));
    let places: Vec<_> = places.take(layout.names.len()).collect();
    let heads = match layout.names.get(first..) {
        Some(names) if !names.is_empty() => names.to_vec(),
        _ => numbered(width),
    };
    let mut counted = Counted::read(table, heads, label)?;
    let sums = counted.sums();
    let bottom = counted.lines.last().is_some_and(|line| is_called_sum(&line.label));
    counted
        .drop_sums(super::counted::Sums { below: sums.below && (sums.right || bottom), ..sums })?;
    let mut codes = Vec::with_capacity(counted.heads.len());
    for (column, head) in (first..).zip(&counted.heads) {
        codes.push(categories.label(head, places.get(column).copied())?);
    }
    // It is not known who rated: the ratings of an item are given to as many raters in the order of labels.
    let mut columns: Vec<Vec<u32>> = Vec::new();
    for (item, line) in counted.lines.iter().enumerate() {
        let mut rater = 0;
        for ((column, count), &code) in counted.counts(line)?.into_iter().enumerate().zip(&codes) {
            let end = count.saturating_add(rater);
            let places = end.max(columns.len()).saturating_mul(counted.lines.len());
            if places > MOST_COUNTED {
                return Err(line.refuse(column, Problem::TooManyCounted));
            }
            while rater < end {
                if columns.len() <= rater {
                    columns.push(vec![MISSING; counted.lines.len()]);
                }
                if let Some(place) = columns.get_mut(rater).and_then(|codes| codes.get_mut(item)) {
                    *place = code;
                }
                rater += 1;
            }
        }
    }
    understood.raters = (1..=columns.len()).map(|number| format!("rating {number}")).collect();
    let names = counted.lines.iter().map(|line| line.label.clone()).collect();
    let names = (options.item_names && label.is_some()).then_some(names);
    wide::study(columns, categories, understood, names, None)
}
