//! Contingency tables: in each cell how many items one rater gave the label of its line, and another
//! that of its column.

use std::collections::BTreeSet;
use std::io::BufRead;

use agreement::MISSING;

use super::counted::{Counted, MOST_COUNTED, is_called_blank, is_called_sum, numbered};
use super::interpretation::{Interpretation, Standing};
use super::wide;
use crate::read::cells::categories::Categories;
use crate::read::cells::sameness::{is_number, key};
use crate::read::columns::Layout;
use crate::read::columns::roles::{Role, role};
use crate::read::first_rows::FirstRows;
use crate::read::header::Header;
use crate::read::table::Table;
use crate::read::{Form, Level, Options, Study, Understood, Warning};
use crate::{Error, Problem};

/// So many records at most stand above the heads: a title, or the name of a rater.
const MOST_ABOVE: usize = 2;

/// More lines than these are hardly those of labels that nothing else shows.
const MOST_LABELS: usize = 12;

/// Counts are larger than most numbers that stand for labels.
const LARGE: u64 = 10;

/// Who stands in the lines, and who in the columns.
const RATERS: [&str; 2] = ["lines", "columns"];

/// The contingency table that this may be.
pub(in crate::read) fn interpret(
    first: &FirstRows,
    layout: &Layout,
    options: &Options,
) -> Option<Interpretation> {
    if first.header == Header::Denied || !first.is_whole {
        return (options.form == Some(Form::Contingency)).then(|| {
            let bare = as_contingency(first, layout, 0, true);
            Interpretation::new(bare, Standing::Proven, "it was asked for")
        });
    }
    // In front of the labels may stand the name of their rater.
    let ways = (0..2).flat_map(|label| (0..=MOST_ABOVE).map(move |above| (above, label)));
    let labelled = ways.into_iter().find_map(|(above, label)| {
        let (titles, rows) =
            first.all.split_at_checked(above).filter(|(_, rows)| rows.len() > 1)?;
        let are_titles = titles.iter().all(|row| row.iter().skip(1).any(String::is_empty));
        let is_blank = |row: &Vec<String>| row.first().is_some_and(String::is_empty);
        let is_named = label == 0 || rows.iter().filter(|row| is_blank(row)).count() > 1;
        if !are_titles || !is_named {
            return None;
        }
        let (standing, because) = standing(rows, label, options.level)?;
        if above + label > 0 && standing < Standing::Proven {
            return None;
        }
        let mut table = as_contingency(first, layout, above, false);
        table.item = Some(label);
        Some(Interpretation::new(table, standing, because))
    });
    labelled.or_else(|| {
        let bare = Counted::of_rows(&first.all, false, None);
        let is_square = bare.heads.len() > 1 && bare.heads.len() == bare.lines.len();
        let are_counts = bare.looks_counted()
            && (bare.largest() >= LARGE || bare.are_columns_apart() && bare.largest() > 1)
            && bare.counts_or_none().is_some();
        let because = "there are as many lines as columns, and all cells are whole numbers";
        (is_square && are_counts && !first.header.is_there() && options.level == Level::Nominal)
            .then(|| {
                let table = as_contingency(first, layout, 0, true);
                Interpretation::new(table, Standing::Possible, because)
            })
    })
}

/// How much can be said for these rows as a contingency table.
fn standing(rows: &[Vec<String>], label: usize, level: Level) -> Option<(Standing, &'static str)> {
    let mut table = Counted::of_rows(rows, true, Some(label));
    table.drop_names();
    let corner = rows.first()?.get(label)?;
    if !table.looks_counted() || table.lines.len() < 2 || table.heads.len() < 2 {
        return None;
    }
    let proves_itself = table.proves_itself();
    let sums = table.sums();
    // Wrong sums are refused when the file is read.
    let heads = table.heads.len() - usize::from(sums.right);
    let lines = table.lines.len() - usize::from(sums.below);
    let of_heads: Vec<String> = table.heads.iter().take(heads).map(|head| key(head)).collect();
    let of_lines: Vec<String> =
        table.lines.iter().take(lines).map(|line| key(&line.label)).collect();
    let (columns, rows): (BTreeSet<&String>, BTreeSet<&String>) =
        (of_heads.iter().collect(), of_lines.iter().collect());
    let is_proper = columns.len() == heads
        && rows.len() == lines
        && !columns.iter().chain(&rows).any(|label| label.is_empty());
    if !is_proper || heads < 1 || lines < 1 || heads.max(lines) < 2 {
        return None;
    }
    let is_numeric = of_heads.iter().chain(&of_lines).all(|label| is_number(label));
    let names_items = role(corner) == Some(Role::Item);
    let shared = columns.intersection(&rows).count();
    let is_within = shared == heads || shared == lines;
    let are_indices = is_index(&of_lines) && is_index(&of_heads);
    let is_constant = table.line_sums().iter().take(lines).collect::<BTreeSet<_>>().len() == 1;
    if is_numeric && names_items && !proves_itself {
        return None;
    }
    if columns == rows {
        let because = if sums.right && sums.below {
            "lines and columns have the same labels, but for the last, which add up the others"
        } else {
            "lines and columns have the same labels, and cells are counts"
        };
        return Some((Standing::Proven, because));
    }
    if shared > 0 && (!is_numeric || is_within && !are_indices && !is_number(corner)) {
        return Some((Standing::Proven, "lines and columns share labels, and cells are counts"));
    }
    if proves_itself {
        let may_be_items = names_items || is_constant && shared == 0;
        let standing = if may_be_items { Standing::Possible } else { Standing::Proven };
        return Some((standing, "the last line and column add up the others"));
    }
    let because = "all cells are whole numbers";
    if is_numeric && is_number(corner) {
        return None;
    }
    if is_numeric && shared > 0 {
        let may_be = lines < heads || lines <= heads + 1 && table.largest() >= LARGE / 2;
        return may_be.then_some((Standing::Possible, because));
    }
    if shared == 0 && !names_items && corner.contains(['/', '\\']) {
        return Some((Standing::Proven, "the corner names two raters, and cells are counts"));
    }
    let is_small = lines <= MOST_LABELS && table.are_columns_apart();
    let has_words = !of_lines.iter().any(|label| is_number(label));
    let may_be = shared == 0
        && !names_items
        && level == Level::Nominal
        && is_small
        && has_words
        && table.largest() >= LARGE
        && table.counts_or_none().is_some();
    may_be.then_some((Standing::Possible, because))
}

/// True if these are the numbers from 0 or 1 up.
fn is_index(labels: &[String]) -> bool {
    let counts_from = |start: usize| {
        labels.iter().zip(start..).all(|(label, number)| *label == number.to_string())
    };
    counts_from(0) || counts_from(1)
}

/// The table as an option asks for it.
pub(in crate::read) fn asked(first: &FirstRows, layout: &Layout) -> Layout {
    as_contingency(first, layout, 0, false)
}

fn as_contingency(first: &FirstRows, layout: &Layout, above: usize, is_bare: bool) -> Layout {
    let mut table = layout.clone();
    (table.form, table.above) = (Some(Form::Contingency), above);
    let heads = first.all.get(above).cloned().unwrap_or_default();
    (table.header, table.names) =
        if is_bare { (Header::Denied, Vec::new()) } else { (Header::KnownNames, heads) };
    table
}

impl Counted {
    /// All counts, if there is nothing else.
    fn counts_or_none(&self) -> Option<Vec<Vec<usize>>> {
        self.lines.iter().map(|line| self.counts(line).ok()).collect()
    }
}

pub(in crate::read) fn read<R: BufRead>(
    table: &mut Table<'_, R>,
    layout: &Layout,
    options: &Options,
    mut categories: Categories,
    mut understood: Understood,
) -> Result<Study, Error> {
    let is_bare = !layout.header.is_there();
    let places = (0..).map(|column| table.record.place(column));
    let places: Vec<_> = places.take(layout.names.len()).collect();
    let label = layout.item.unwrap_or_default();
    let heads = layout.names.get(label + 1..);
    let heads = heads.map_or_else(|| numbered(layout.width()), <[String]>::to_vec);
    let mut counted = Counted::read(table, heads, (!is_bare).then_some(label))?;
    if !is_bare {
        counted.drop_names();
        counted.drop_sums(counted.sums())?;
    }
    let mut warnings = Vec::new();
    let mut code_of = |name: &str, place| {
        if is_called_blank(name) { Ok(MISSING) } else { categories.label(name, place) }
    };
    let mut codes = Vec::with_capacity(counted.heads.len());
    for (column, head) in (label + 1..).zip(&counted.heads) {
        let place = places.get(column).copied();
        codes.push(code_of(head, place)?);
    }
    let mut columns = vec![Vec::new(), Vec::new()];
    for line in &counted.lines {
        let same = counted.heads.iter().position(|head| *head == line.label);
        let alike = || counted.heads.iter().position(|head| key(head) == key(&line.label));
        let own = match same.or_else(alike) {
            Some(place) => {
                let head = counted.heads.get(place).map_or("", String::as_str);
                if head != line.label {
                    let message = format!("“{}” is taken for “{head}”", line.label);
                    warnings.push(Warning::new("similar_labels", line.place(), message));
                }
                codes.get(place).copied().unwrap_or(MISSING)
            }
            None if is_called_sum(&line.label) => {
                return Err(line.refuse_label(Problem::NoSuchColumn(line.label.clone())));
            }
            None => code_of(&line.label, line.place())?,
        };
        for ((column, more), &code) in counted.counts(line)?.into_iter().enumerate().zip(&codes) {
            for (codes, code) in columns.iter_mut().zip([own, code]) {
                let length = codes.len().saturating_add(more);
                if length > MOST_COUNTED {
                    return Err(line.refuse(column, Problem::TooManyCounted));
                }
                codes.resize(length, code);
            }
        }
    }
    understood.raters = RATERS.map(str::to_owned).to_vec();
    let names = options.item_names.then(Vec::new);
    let mut study = wide::study(columns, categories, understood, names, None)?;
    study.warnings.extend(warnings);
    Ok(study)
}
