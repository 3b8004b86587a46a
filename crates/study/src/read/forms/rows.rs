//! Raters in rows: a line a rater, a column an item.

use std::io::BufRead;

use super::interpretation::{Interpretation, Standing};
use super::long::wanted;
use super::wide;
use crate::read::cells::categories::Categories;
use crate::read::columns::Layout;
use crate::read::columns::roles::{Role, is_of_raters, role};
use crate::read::first_rows::{Column, FirstRows};
use crate::read::table::Table;
use crate::read::{Form, Options, Study, Understood};
use crate::{Error, Problem};

/// Names of numbered items beside those of the role.
const ITEM_STEMS: &[&str] = &["i", "it", "q", "s", "d", "t", "doc", "sent", "utt", "var", "x", "p"];

/// The table with raters in its rows, if this may be one.
pub(in crate::read) fn interpret(first: &FirstRows, layout: &Layout) -> Option<Interpretation> {
    let (raters, lines) = (first.column(0)?, first.rows().len());
    let others = first.columns.get(1..).unwrap_or_default();
    let is_free = |column: &Column| column.role.is_none() || column.role == Some(Role::Item);
    let may_be = first.header.is_there() && lines > 1 && others.len() > 1 && raters.is_unique();
    if !may_be || !others.iter().all(is_free) {
        return None;
    }
    let corner = first.names.first()?;
    let heads = first.names.get(1..).unwrap_or_default();
    if heads.iter().any(|head| is_of_raters(head)) || !others.iter().all(|it| it.is_apart(raters)) {
        return None;
    }
    let are_items = are_numbered_items(heads);
    let (standing, because) = if is_of_raters(corner) {
        let is_wider = heads.len() >= lines || are_items;
        let is_certain = is_wider || role(corner) == Some(Role::Rater) && is_clear(corner);
        let standing = if is_certain { Standing::Proven } else { Standing::Possible };
        (standing, "the first heading names raters, each of whom has a line")
    } else if are_items && raters.kind() == Some(false) && role(corner) != Some(Role::Item) {
        (Standing::Possible, "the columns are numbered like items")
    } else {
        return None;
    };
    Some(Interpretation::new(asked(first, layout), standing, because))
}

/// True if the word is used of people who rate, and not of people who are rated.
fn is_clear(word: &str) -> bool {
    let word = word.to_lowercase();
    ["rater", "coder", "annotator", "label", "judge"].iter().any(|part| word.contains(part))
}

/// True if these are names such as `q1`, `q2` and `q3`.
fn are_numbered_items(heads: &[String]) -> bool {
    let split = |head: &String| {
        let stem = head.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = head.get(stem.len()..)?.parse::<u64>().ok()?;
        let stem = stem.trim_end_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        Some((stem, number))
    };
    let parts: Option<Vec<(String, u64)>> = heads.iter().map(split).collect();
    parts.is_some_and(|parts| {
        let is_item = |stem: &str| ITEM_STEMS.contains(&stem) || role(stem) == Some(Role::Item);
        parts.len() > 2
            && parts.iter().all(|(stem, _)| {
                is_item(stem) && parts.first().is_some_and(|(first, _)| first == stem)
            })
            && parts.is_sorted_by(|(_, a), (_, b)| a < b)
    })
}

/// The table with raters in its rows.
pub(in crate::read) fn asked(_: &FirstRows, layout: &Layout) -> Layout {
    let mut rows = layout.clone();
    (rows.form, rows.raters) = (Some(Form::Rows), vec![0]);
    rows
}

pub(in crate::read) fn read<R: BufRead>(
    table: &mut Table<'_, R>,
    layout: &Layout,
    options: &Options,
    mut categories: Categories,
    mut understood: Understood,
) -> Result<Study, Error> {
    let (mut raters, mut columns) = (Vec::new(), Vec::new());
    while table.next()? {
        let record = &table.record;
        let rater = record.field(0).to_owned();
        if rater.is_empty() {
            return Err(record.refuse(0, Problem::Missing("rater")));
        }
        if raters.contains(&rater) {
            return Err(record.refuse(0, Problem::RepeatedRater(rater)));
        }
        raters.push(rater);
        let codes = (1..record.len()).map(|column| categories.code(record, column));
        columns.push(codes.collect::<Result<Vec<u32>, Error>>()?);
    }
    let mut chosen = Vec::new();
    for (name, place) in wanted(&raters, &options.raters)? {
        understood.raters.push(name);
        chosen.extend(columns.get_mut(place).map(std::mem::take));
    }
    let items = columns.len().max(layout.names.len());
    let names = (1..items).map(|column| layout.name(column)).collect();
    let names = options.item_names.then_some(names);
    wide::study(chosen, categories, understood, names, None)
}
