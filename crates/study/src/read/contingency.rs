//! Contingency tables: in each cell how many items one rater gave the label of its line, and another
//! that of its column.

use std::io::BufRead;

use super::categories::Categories;
use super::columns::Layout;
use super::header::{count, is_sum};
use super::{Options, Study, Table, Understood, wide};
use crate::{Error, Problem};

/// The most items that are made of counts.
const MOST_ITEMS: usize = 50_000_000;

/// Who stands in the lines, and who in the columns.
const RATERS: [&str; 2] = ["lines", "columns"];

pub(super) fn read<R: BufRead>(
    table: &mut Table<'_, R>,
    layout: &Layout,
    options: &Options,
    mut categories: Categories,
    mut understood: Understood,
) -> Result<Study, Error> {
    let mut columns = vec![Vec::new(), Vec::new()];
    let mut heads = Vec::new();
    for column in 1..layout.width() {
        let head = layout.name(column);
        if !is_sum(&head) {
            let code = categories.code(&head);
            heads.push((
                column,
                head,
                code.map_err(|problem| table.record.refuse(column, problem))?,
            ));
        }
    }
    while table.next()? {
        let record = &table.record;
        let label = record.field(0);
        if is_sum(label) {
            continue;
        }
        let Some((.., line)) = heads.iter().find(|(_, head, _)| head == label) else {
            return Err(record.refuse(0, Problem::NoSuchColumn(label.to_owned())));
        };
        for (column, _, code) in &heads {
            let cell = record.field(*column);
            let refuse = |problem| record.refuse(*column, problem);
            let more = count(cell).ok_or_else(|| refuse(Problem::NotACount(cell.to_owned())))?;
            for (codes, code) in columns.iter_mut().zip([line, code]) {
                let length = codes.len().saturating_add(more);
                if length > MOST_ITEMS {
                    return Err(refuse(Problem::TooMany));
                }
                codes.resize(length, *code);
            }
        }
    }
    understood.raters = RATERS.map(str::to_owned).to_vec();
    let names = options.item_names.then(Vec::new);
    wide::study(columns, categories.ordered(), understood, names)
}
