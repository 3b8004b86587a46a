//! Contingency tables: in each cell how many items one rater gave the label of its line, and another
//! that of its column.

use std::io::BufRead;
use std::mem::take;

use super::categories::Categories;
use super::columns::Layout;
use super::header::{count, may_be_sum};
use super::{Options, Record, Study, Table, Understood, wide};
use crate::{Error, Problem};

/// The most items that are made of counts.
const MOST_ITEMS: usize = 50_000_000;

/// Who stands in the lines, and who in the columns.
const RATERS: [&str; 2] = ["lines", "columns"];

/// A line of counts.
struct Line {
    record: Record,
    counts: Vec<usize>,
}

pub(super) fn read<R: BufRead>(
    table: &mut Table<'_, R>,
    layout: &Layout,
    options: &Options,
    mut categories: Categories,
    mut understood: Understood,
) -> Result<Study, Error> {
    let first = take(&mut table.record);
    let mut heads: Vec<String> = (1..layout.width()).map(|column| layout.name(column)).collect();
    let mut lines = Vec::new();
    while table.next()? {
        lines.push(Line::read(take(&mut table.record), &heads)?);
    }
    drop_sums(&mut heads, &mut lines)?;
    let mut codes = Vec::with_capacity(heads.len());
    for (column, head) in (1..).zip(&heads) {
        let code = categories.label(head);
        codes.push(code.map_err(|problem| first.refuse(column, problem))?);
    }
    let mut columns = vec![Vec::new(), Vec::new()];
    for line in lines {
        let mut labels = heads.iter().zip(&codes);
        let Some((_, own)) = labels.find(|(head, _)| *head == line.label()) else {
            return Err(line.of_no_column());
        };
        for (column, (&more, code)) in (1..).zip(line.counts.iter().zip(&codes)) {
            for (codes, code) in columns.iter_mut().zip([own, code]) {
                let length = codes.len().saturating_add(more);
                if length > MOST_ITEMS {
                    return Err(line.record.refuse(column, Problem::TooMany));
                }
                codes.resize(length, *code);
            }
        }
    }
    understood.raters = RATERS.map(str::to_owned).to_vec();
    let names = options.item_names.then(Vec::new);
    wide::study(columns, categories.ordered(), understood, names, None)
}

impl Line {
    /// A line of a label that a column has, or perhaps of sums.
    fn read(record: Record, heads: &[String]) -> Result<Self, Error> {
        let mut line = Self { record, counts: Vec::with_capacity(heads.len()) };
        if !may_be_sum(line.label()) && !heads.iter().any(|head| head == line.label()) {
            return Err(line.of_no_column());
        }
        for column in 1..=heads.len() {
            let cell = line.record.field(column);
            let refuse = || line.record.refuse(column, Problem::NotACount(cell.to_owned()));
            line.counts.push(count(cell).ok_or_else(refuse)?);
        }
        Ok(line)
    }

    fn label(&self) -> &str {
        self.record.field(0)
    }

    fn of_no_column(&self) -> Error {
        self.record.refuse(0, Problem::NoSuchColumn(self.label().to_owned()))
    }
}

/// Takes away the last column and the last line if they are sums.
///
/// What both are called, and neither adds up to, is a label; what only one of them is called can be
/// nothing but a sum.
fn drop_sums(heads: &mut Vec<String>, lines: &mut Vec<Line>) -> Result<(), Error> {
    let (Some(right), Some((bottom, above))) = (heads.last(), lines.split_last()) else {
        return Ok(());
    };
    let mut beside = Vec::with_capacity(lines.len());
    for line in lines.iter() {
        if let Some((&found, others)) = line.counts.split_last() {
            let expected = others.iter().copied().fold(0, usize::saturating_add);
            beside.push(Sum { record: &line.record, column: heads.len(), found, expected });
        }
    }
    let mut below = Vec::with_capacity(heads.len());
    for (column, &found) in (1..).zip(&bottom.counts) {
        below.push(Sum { record: &bottom.record, column, found, expected: 0 });
    }
    for line in above {
        for (sum, &count) in below.iter_mut().zip(&line.counts) {
            sum.expected = sum.expected.saturating_add(count);
        }
    }
    let is_shared = right == bottom.label();
    let are_labels = is_shared && !adds_up(&beside) && !adds_up(&below);
    let is_lonely = |name: &str| {
        let has_line = lines.iter().any(|line| line.label() == name);
        has_line != heads.iter().any(|head| head == name)
    };
    let is_sum = |name: &str| may_be_sum(name) && !are_labels && (is_shared || is_lonely(name));
    let (right_is_sum, bottom_is_sum) = (is_sum(right), is_sum(bottom.label()));
    if right_is_sum {
        beside.iter().try_for_each(|sum| sum.check(right))?;
    }
    if bottom_is_sum {
        below.iter().try_for_each(|sum| sum.check(bottom.label()))?;
    }
    if right_is_sum {
        heads.pop();
    }
    if bottom_is_sum {
        lines.pop();
    }
    Ok(())
}

/// A cell of the last line or column, and what the others add up to.
struct Sum<'a> {
    record: &'a Record,
    column: usize,
    found: usize,
    expected: usize,
}

impl Sum<'_> {
    /// Refuses what is another number; nothing says nothing.
    fn check(&self, name: &str) -> Result<(), Error> {
        let &Self { record, column, found, expected } = self;
        if found == expected || record.field(column).is_empty() {
            return Ok(());
        }
        let name = name.to_owned();
        Err(record.refuse(column, Problem::NotTheSum { name, found, expected }))
    }
}

/// Whether all are sums, but for the last one, where both meet.
fn adds_up(sums: &[Sum]) -> bool {
    let but_last = sums.split_last().map(|(_, sums)| sums).unwrap_or_default();
    but_last.iter().all(|sum| sum.found == sum.expected)
}
