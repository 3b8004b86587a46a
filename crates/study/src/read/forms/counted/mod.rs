//! Tables of counts, with the sums at their edges.

mod cell;

use std::io::BufRead;
use std::mem::take;

use crate::read::cells::sameness::{is_number, key};
use crate::read::records::Record;
use crate::read::table::Table;
use crate::{Error, Problem};
use cell::is_thousands;

pub(in crate::read) use cell::{count, is_called_blank, is_called_sum};

/// The most items, or ratings, that are made of counts.
pub(in crate::read) const MOST_COUNTED: usize = 50_000_000;

/// Lines of counts below their heads.
pub(in crate::read) struct Counted {
    pub(in crate::read) heads: Vec<String>,
    pub(in crate::read) lines: Vec<Line>,
    /// True if points stand between thousands.
    has_points: bool,
}

/// A line of counts.
pub(in crate::read) struct Line {
    pub(in crate::read) label: String,
    cells: Vec<String>,
    /// The record it was read from, and the column of its first count.
    record: Option<(Record, usize)>,
}

/// Which edges are sums of the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::read) struct Sums {
    pub(in crate::read) right: bool,
    pub(in crate::read) below: bool,
}

impl Counted {
    /// Rows of counts below their heads, or without any.
    pub(in crate::read) fn of_rows(
        rows: &[Vec<String>],
        has_heads: bool,
        label: Option<usize>,
    ) -> Self {
        let first = label.map_or(0, |column| column + 1);
        let cells = |row: &Vec<String>| row.get(first..).unwrap_or_default().to_vec();
        let width = rows.first().map_or(0, |row| row.len().saturating_sub(first));
        let heads = match rows.first().filter(|_| has_heads) {
            Some(row) => cells(row),
            None => numbered(width),
        };
        let lines = rows.iter().skip(usize::from(has_heads)).enumerate().map(|(place, row)| {
            let label = label.map(|column| label_of(row, column));
            let label = label.unwrap_or_else(|| (place + 1).to_string());
            Line { label, cells: cells(row), record: None }
        });
        Self::new(heads, lines.collect())
    }

    fn new(heads: Vec<String>, lines: Vec<Line>) -> Self {
        let cells = lines.iter().flat_map(|line| &line.cells);
        let has_points =
            cells.clone().any(|cell| is_thousands(cell, '.') && !cell.ends_with(".000"));
        Self { heads, lines, has_points }
    }

    /// The rest of a table.
    pub(in crate::read) fn read<R: BufRead>(
        table: &mut Table<'_, R>,
        heads: Vec<String>,
        label: Option<usize>,
    ) -> Result<Self, Error> {
        let first = label.map_or(0, |column| column + 1);
        let mut lines = Vec::new();
        while table.next()? {
            let record = take(&mut table.record);
            let label = label.map(|column| label_of(&record.texts(), column));
            let label = label.unwrap_or_else(|| (lines.len() + 1).to_string());
            let cells = record.texts().split_off(first.min(record.len()));
            lines.push(Line { label, cells, record: Some((record, first)) });
        }
        Ok(Self::new(heads, lines))
    }

    /// True if all cells are counts, or nearly.
    pub(in crate::read) fn looks_counted(&self) -> bool {
        let cells = self.lines.iter().flat_map(|line| &line.cells);
        cells.clone().any(|cell| !cell.is_empty())
            && cells.clone().all(|cell| {
                let number = cell.trim_end_matches(['%', ' ']);
                cell.is_empty()
                    || self.count(cell).is_some()
                    || is_number(number)
                    || number.ends_with(".000")
            })
    }

    /// Takes away lines without a count that name raters, as some programs write them.
    pub(in crate::read) fn drop_names(&mut self) {
        let heads = self.heads.iter().map(|head| key(head)).collect::<Vec<_>>();
        self.lines.retain(|line| {
            line.cells.iter().any(|cell| !cell.is_empty()) || heads.contains(&key(&line.label))
        });
    }

    /// Which edges are sums of the others.
    ///
    /// An edge that adds up is one, whatever it is called, unless both sides have a label of its name
    /// and only one adds up; one that does not add up is one if only a sum is called so.
    pub(in crate::read) fn sums(&self) -> Sums {
        let (Some(right), Some(bottom)) = (self.heads.last(), self.lines.last()) else {
            return Sums::default();
        };
        let (right, bottom) = (key(right), key(&bottom.label));
        let has_line = |name: &str| self.lines.iter().any(|line| key(&line.label) == name);
        let has_head = |name: &str| self.heads.iter().any(|head| key(head) == name);
        let adds_right = self.adds_up(&self.beside());
        let adds_below = self.adds_up(&self.below());
        let is_shared = right == bottom || has_line(&right) && has_head(&bottom);
        if is_shared && right == bottom {
            let is_sum =
                adds_right && adds_below || is_called_sum(&right) && (adds_right || adds_below);
            return Sums { right: is_sum, below: is_sum };
        }
        let is_right = |adds_up: bool| !has_line(&right) && (adds_up || is_called_sum(&right));
        let is_below = |adds_up: bool| !has_head(&bottom) && (adds_up || is_called_sum(&bottom));
        let has_many = |count: usize| count > 2;
        Sums {
            right: is_right(adds_right && has_many(self.heads.len())),
            below: is_below(adds_below && has_many(self.lines.len())),
        }
    }

    /// True if the sums on both sides prove that cells are counts.
    pub(in crate::read) fn proves_itself(&self) -> bool {
        self.adds_up(&self.beside())
            && self.adds_up(&self.below())
            && self.heads.len() > 2
            && self.lines.len() > 2
    }

    /// Takes sums away, after a look at whether they are right.
    pub(in crate::read) fn drop_sums(&mut self, sums: Sums) -> Result<(), Error> {
        if sums.right {
            let name = self.heads.last().cloned().unwrap_or_default();
            self.beside().iter().try_for_each(|sum| self.check(sum, &name))?;
        }
        if sums.below {
            let name = self.lines.last().map(|line| line.label.clone()).unwrap_or_default();
            self.below().iter().try_for_each(|sum| self.check(sum, &name))?;
        }
        if sums.below {
            self.lines.pop();
        }
        if sums.right {
            self.heads.pop();
            for line in &mut self.lines {
                line.cells.truncate(self.heads.len());
            }
        }
        Ok(())
    }

    /// The cells of the last column, with what the others add up to.
    fn beside(&self) -> Vec<Sum> {
        let last = self.heads.len().saturating_sub(1);
        let sum = |(line, counts): (usize, &Line)| {
            let all: Vec<u64> = (0..last).map(|column| self.at(counts, column)).collect();
            Sum { line, column: last, expected: all.into_iter().fold(0, u64::saturating_add) }
        };
        self.lines.iter().enumerate().map(sum).collect()
    }

    /// The cells of the last line, with what the others add up to.
    fn below(&self) -> Vec<Sum> {
        let (last, above) = match self.lines.split_last() {
            Some((_, above)) => (above.len(), above),
            None => return Vec::new(),
        };
        let sum = |column: usize| {
            let all = above.iter().map(|line| self.at(line, column));
            Sum { line: last, column, expected: all.fold(0, u64::saturating_add) }
        };
        (0..self.heads.len()).map(sum).collect()
    }

    /// True if all are sums, but for the last one, where both meet.
    fn adds_up(&self, sums: &[Sum]) -> bool {
        let but_last = sums.split_last().map(|(_, sums)| sums).unwrap_or_default();
        let has_any = but_last.iter().any(|sum| sum.expected > 0);
        has_any
            && but_last.iter().all(|sum| {
                self.lines
                    .get(sum.line)
                    .is_some_and(|line| self.at(line, sum.column) == sum.expected)
            })
    }

    /// Refuses what is another number; nothing says nothing.
    fn check(&self, sum: &Sum, name: &str) -> Result<(), Error> {
        let Some(line) = self.lines.get(sum.line) else { return Ok(()) };
        let is_empty = line.cells.get(sum.column).is_none_or(String::is_empty);
        let found = self.at(line, sum.column);
        if is_empty || found == sum.expected {
            return Ok(());
        }
        let (name, expected) = (name.to_owned(), sum.expected);
        Err(line.refuse(sum.column, Problem::NotTheSum { name, found, expected }))
    }

    fn at(&self, line: &Line, column: usize) -> u64 {
        line.cells.get(column).and_then(|cell| self.count(cell)).unwrap_or(0)
    }

    /// The counts of a line.
    pub(in crate::read) fn counts(&self, line: &Line) -> Result<Vec<usize>, Error> {
        let cells = line.cells.iter().enumerate();
        cells
            .map(|(column, cell)| {
                let problem = if self.count(cell).is_none() && is_thousands(cell, '.') {
                    Problem::EitherCount(cell.clone())
                } else {
                    Problem::NotACount(cell.clone())
                };
                let count = self.count(cell).ok_or_else(|| line.refuse(column, problem))?;
                usize::try_from(count).map_err(|_| line.refuse(column, Problem::TooManyCounted))
            })
            .collect()
    }

    fn count(&self, cell: &str) -> Option<u64> {
        if is_thousands(cell, '.') && !self.has_points && cell != "0.000" {
            return None;
        }
        count(cell)
    }

    /// The sums of the lines.
    pub(in crate::read) fn line_sums(&self) -> Vec<u64> {
        let sum = |line: &Line| {
            (0..self.heads.len()).map(|column| self.at(line, column)).fold(0, u64::saturating_add)
        };
        self.lines.iter().map(sum).collect()
    }

    /// The largest count.
    pub(in crate::read) fn largest(&self) -> u64 {
        let counts = self
            .lines
            .iter()
            .flat_map(|line| line.cells.iter().map(|cell| self.count(cell).unwrap_or(0)));
        counts.max().unwrap_or(0)
    }

    /// True if no two columns have a count in common.
    pub(in crate::read) fn are_columns_apart(&self) -> bool {
        let values = |column: usize| self.lines.iter().map(move |line| self.at(line, column));
        let columns = 0..self.heads.len();
        columns.clone().all(|one| {
            columns
                .clone()
                .skip(one + 1)
                .all(|other| values(one).all(|count| values(other).all(|another| another != count)))
        })
    }
}

impl Line {
    /// An error about a count.
    pub(in crate::read) fn refuse(&self, column: usize, problem: Problem) -> Error {
        match &self.record {
            Some((record, first)) => record.refuse(column + first, problem),
            None => crate::Refusal { place: None, problem }.into(),
        }
    }

    /// An error about the label.
    pub(in crate::read) fn refuse_label(&self, problem: Problem) -> Error {
        match &self.record {
            Some((record, _)) => record.refuse(0, problem),
            None => crate::Refusal { place: None, problem }.into(),
        }
    }

    pub(in crate::read) fn place(&self) -> Option<crate::Place> {
        self.record.as_ref().map(|(record, _)| record.place(0))
    }
}

/// The label of a line; the name of a sum may stand before an empty one.
fn label_of(row: &[String], column: usize) -> String {
    let before = row.get(..=column).unwrap_or_default();
    before.iter().rev().find(|cell| !cell.is_empty()).cloned().unwrap_or_default()
}

/// A cell of the last line or column, and what the others add up to.
struct Sum {
    line: usize,
    column: usize,
    expected: u64,
}

/// Names for columns without any: their numbers.
pub(in crate::read) fn numbered(width: usize) -> Vec<String> {
    (1..=width).map(|number| number.to_string()).collect()
}
