//! Long tables: a line a rating, in any order.

mod shape;

use std::io::BufRead;

use agreement::MISSING;

use super::wide;
use crate::read::cells::categories::Categories;
use crate::read::columns::{Layout, Names, SequenceColumn};
use crate::read::table::Table;
use crate::read::{Options, Study, Understood, Warning};
use crate::{Error, Misuse, Problem, count64};

pub(in crate::read) use shape::interpret;

/// The most places of a study that is mostly gaps.
const MOST_PLACES: usize = 1 << 31;

pub(in crate::read) fn read<R: BufRead>(
    table: &mut Table<'_, R>,
    layout: &Layout,
    options: &Options,
    mut categories: Categories,
    mut understood: Understood,
) -> Result<Study, Error> {
    let (mut items, mut raters) = (Names::default(), Names::default());
    let mut sequence = layout.sequence.map(SequenceColumn::new);
    let mut columns: Vec<Vec<u32>> = Vec::new();
    // The line in which a rater has rated an item; 0 as long as there is none.
    let mut seen: Vec<Vec<u64>> = Vec::new();
    let mut warnings = Vec::new();
    let item_column = layout.item.unwrap_or_default();
    let rater_column = layout.raters.first().copied().unwrap_or_default();
    while table.next()? {
        let record = &table.record;
        let (item, rater) = (record.field(item_column), record.field(rater_column));
        for (column, name, what) in [(item_column, item, "item"), (rater_column, rater, "rater")] {
            if name.is_empty() {
                return Err(record.refuse(column, Problem::Missing(what)));
            }
        }
        let is_wanted =
            options.raters.is_empty() || options.raters.iter().any(|name| name == rater);
        let rater = raters.place(rater);
        if columns.len() <= rater {
            columns.push(Vec::new());
            seen.push(Vec::new());
        }
        if !is_wanted {
            continue;
        }
        let item = items.place(item);
        if columns.len().saturating_mul(item) > MOST_PLACES {
            return Err(record.refuse(item_column, Problem::TooMany));
        }
        if let Some(sequence) = &mut sequence {
            sequence.read(record, (item_column, item), rater)?;
        }
        let code = categories.code(record, layout.category)?;
        let (Some(codes), Some(seen)) = (columns.get_mut(rater), seen.get_mut(rater)) else {
            continue;
        };
        if codes.len() <= item {
            codes.resize(item + 1, MISSING);
            seen.resize(item + 1, 0);
        }
        let (Some(place), Some(seen)) = (codes.get_mut(item), seen.get_mut(item)) else { continue };
        if *seen > 0 {
            let (rater, item) =
                (record.field(rater_column).to_owned(), record.field(item_column).to_owned());
            let line = *seen;
            if *place != code {
                return Err(record.refuse(item_column, Problem::RatedTwice { rater, item, line }));
            }
            let message =
                format!("“{rater}” has rated “{item}” alike in line {line}: counted once");
            warnings.push(Warning::new("repeated_rating", Some(record.place(0)), message));
        }
        (*place, *seen) = (code, record.line());
    }
    let order = wanted(&raters.names(), &options.raters)?;
    let lines = items.len();
    let mut wanted_columns = Vec::new();
    for (name, place) in order {
        understood.raters.push(name);
        let mut column = columns.get_mut(place).map(std::mem::take).unwrap_or_default();
        column.resize(lines, MISSING);
        wanted_columns.push(column);
    }
    let names = options.item_names.then(|| items.names());
    let sequences = sequence.map(SequenceColumn::sequences);
    let mut study = wide::study(wanted_columns, categories, understood, names, sequences)?;
    study.warnings.extend(gathered(warnings));
    Ok(study)
}

/// The first of many warnings of one kind, with how many there are.
fn gathered(warnings: Vec<Warning>) -> Option<Warning> {
    let more = count64(warnings.len().saturating_sub(1));
    let mut first = warnings.into_iter().next()?;
    if more > 0 {
        first.message = format!("{}; {more} more like this", first.message);
    }
    Some(first)
}

/// The raters asked for, or all in order of name, each with their place.
pub(in crate::read) fn wanted(
    raters: &[String],
    asked: &[String],
) -> Result<Vec<(String, usize)>, Misuse> {
    let mut all: Vec<(String, usize)> = raters.iter().cloned().zip(0..).collect();
    all.sort_unstable();
    if asked.is_empty() {
        return Ok(all);
    }
    let mut chosen: Vec<(String, usize)> = Vec::new();
    for name in asked {
        let found = all.iter().find(|(rater, _)| rater == name).ok_or_else(|| Misuse::NoRater {
            asked: name.clone(),
            raters: all.iter().map(|(rater, _)| rater.clone()).collect(),
        })?;
        if chosen.contains(found) {
            return Err(Misuse::Twice(name.clone()));
        }
        chosen.push(found.clone());
    }
    Ok(chosen)
}
