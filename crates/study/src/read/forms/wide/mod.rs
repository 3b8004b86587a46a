//! Wide tables: a line an item, a column a rater.

mod split;

use std::io::BufRead;

use agreement::consensus::Sequences;
use agreement::{MISSING, Ratings};

use crate::read::cells::categories::Categories;
use crate::read::columns::{Layout, SequenceColumn};
use crate::read::table::Table;
use crate::read::{Data, Options, Study, Understood};
use crate::{Error, Problem, Refusal, count64};

pub(in crate::read) use split::interpret;

pub(in crate::read) fn read<R: BufRead>(
    table: &mut Table<'_, R>,
    layout: &Layout,
    options: &Options,
    mut categories: Categories,
    mut understood: Understood,
) -> Result<Study, Error> {
    let mut columns: Vec<Vec<u32>> = Vec::new();
    columns.resize_with(layout.raters.len(), Vec::new);
    let mut sequence = layout.sequence.map(SequenceColumn::new);
    let mut names = (options.item_names && layout.item.is_some()).then(Vec::new);
    let mut item = 0;
    while table.next()? {
        if let Some(sequence) = &mut sequence {
            sequence.read(&table.record, (0, item), 0)?;
        }
        item += 1;
        for (&column, codes) in layout.raters.iter().zip(&mut columns) {
            codes.push(categories.code(&table.record, column)?);
        }
        if let (Some(names), Some(column)) = (&mut names, layout.item) {
            names.push(table.record.field(column).to_owned());
        }
    }
    understood.raters = layout.raters.iter().map(|&column| layout.name(column)).collect();
    let sequences = sequence.map(SequenceColumn::sequences);
    study(columns, categories, understood, names, sequences)
}

/// A coding study from columns of codes as they were given out.
pub(in crate::read) fn study(
    columns: Vec<Vec<u32>>,
    categories: Categories,
    mut understood: Understood,
    items: Option<Vec<String>>,
    sequences: Option<Sequences>,
) -> Result<Study, Error> {
    let (raters, lines) = (columns.len(), columns.first().map_or(0, Vec::len));
    if lines == 0 {
        return Err(Refusal { place: None, problem: Problem::OnlyHeader }.into());
    }
    let ordered = categories.ordered(&columns)?;
    let mut codes = Vec::with_capacity(raters.saturating_mul(lines));
    // Column after column is let go, so that the ratings are not held twice.
    for column in columns {
        codes.extend(column.into_iter().map(|code| ordered.rank(code)));
    }
    understood.items = count64(lines);
    understood.sequences = sequences.as_ref().map(|sequences| count64(sequences.len()));
    understood.missing = count64(codes.iter().filter(|&&code| code == MISSING).count());
    understood.ratings = count64(codes.len()) - understood.missing;
    understood.categories = ordered.names;
    understood.missing_as = ordered.missing;
    let all = (0..).take(understood.categories.len()).collect();
    let too_many = |_| Refusal { place: None, problem: Problem::TooMany };
    let ratings = Ratings::from_codes(all, raters, codes).map_err(too_many)?;
    let (data, warnings) = (Data::Coding(ratings), ordered.warnings);
    Ok(Study { understood, data, scores: ordered.scores, items, sequences, warnings })
}
