//! Which columns a file has, told by its first lines: where tokens stand, and where tags.

use crate::columns::tags::Tag;
use crate::import::options::ReadOptions;
use crate::problem::quoted::shorten;

/// What phrases are called by the taggers of CoNLL-2000 and CoNLL-2003, whose tags look like those
/// of entities.
const CHUNKS: [&str; 15] = [
    "NP", "VP", "PP", "ADVP", "SBAR", "ADJP", "PRT", "CONJP", "INTJ", "LST", "UCP", "NC", "VC",
    "PC", "AC",
];

/// The most columns of a line.
pub(super) const MAX_COLUMNS: usize = 100;

/// How lines are cut into columns, and which of them matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Whether tabs part columns, rather than any white space.
    tabs: bool,
    pub(super) width: usize,
    pub(super) token: usize,
    pub(super) tag: usize,
    /// The columns with tags that are not read.
    others: Vec<usize>,
    /// What the first line calls the columns.
    names: Vec<String>,
    /// The part of lines that have these columns, in percent.
    pub(crate) fitting: usize,
    /// Whether a tag opens a span or goes on with one.
    pub(crate) has_spans: bool,
}

impl Layout {
    /// Tells the columns by a file's first lines; none if none has tags in all of them but a few.
    pub(crate) fn of<'line>(
        lines: impl Iterator<Item = &'line str>,
        options: &ReadOptions,
    ) -> Option<Self> {
        let mut lines: Vec<&str> = lines
            .map(|line| line.trim_end_matches([' ', '\r']))
            .filter(|line| !line.trim().is_empty() && !line.starts_with("-DOCSTART-"))
            .collect();
        let is_comment = |line: &str| {
            line.trim_start().starts_with('#')
                && !line.rsplit(['\t', ' ']).next().is_some_and(is_tag)
        };
        lines.retain(|line| !is_comment(line));
        let tabbed = lines.iter().filter(|line| line.contains('\t')).count();
        let tabs = 2 * tabbed > lines.len();
        let split = |line| cut(line, tabs).take(MAX_COLUMNS).collect::<Vec<&str>>();
        let mut rows: Vec<Vec<&str>> = lines.into_iter().map(split).collect();
        let names = heading(&rows);
        if !names.is_empty() {
            rows.remove(0);
        }
        let width = most_frequent(rows.iter().map(Vec::len))?;
        let fit: Vec<&Vec<&str>> = rows.iter().filter(|row| row.len() == width).collect();
        if width < 2 {
            return None;
        }
        let cell = |row: &[&'line str], at: usize| row.get(at).copied().unwrap_or_default();
        let share = |at: usize, is: fn(&str) -> bool| {
            fit.iter().filter(|row| is(cell(row, at))).count() * 100 / fit.len().max(1)
        };
        let varies = |at: usize| {
            fit.iter().any(|row| fit.first().map(|it| cell(it, at)) != Some(cell(row, at)))
        };
        let is_numbered =
            |at: usize| share(at, is_number) == 100 && at + 2 < width && varies(at + 1);
        let token = (0..width).find(|at| !is_numbered(*at)).unwrap_or(0);
        // A slip or two are told by their lines, and do not make another table of the file.
        let columns: Vec<usize> = (0..width)
            .filter(|at| *at != token && share(*at, |cell| is_tag(cell) || cell.is_empty()) >= 80)
            .filter(|at| fit.iter().any(|row| is_tag(cell(row, *at)) && cell(row, *at) != "_"))
            .collect();
        let is_chunk = |at: &usize| {
            let mut labels =
                fit.iter().filter_map(|row| Tag::parse(cell(row, *at)).ok().and_then(Tag::label));
            let mut has_any = false;
            labels.all(|label| {
                has_any = true;
                CHUNKS.contains(&label)
            }) && has_any
        };
        let asked = (1..=width).zip(0..).find(|(number, at)| {
            options.asks_for(&number.to_string())
                || names.get(*at).is_some_and(|name: &String| options.asks_for(name))
        });
        let asked = asked.map(|(_, at)| at);
        let first = || columns.iter().copied().find(|at| !is_chunk(at));
        // Where nothing is tagged, nothing tells chunks from entities, which come last.
        let untagged = columns.iter().all(|at| share(*at, Tag::is_outside) == 100);
        let tag = asked.or_else(|| if untagged { columns.last().copied() } else { first() });
        let tag = tag.or_else(|| columns.last().copied())?;
        let has_spans = fit.iter().any(|row| {
            columns
                .iter()
                .any(|at| Tag::parse(cell(row, *at)).is_ok_and(|tag| tag.label().is_some()))
        });
        let fitting = fit.len() * 100 / rows.len().max(1);
        let others = columns.into_iter().filter(|at| *at != tag).collect();
        Some(Self { tabs, width, token, tag, others, names, fitting, has_spans })
    }

    /// What a file has that no column with tags is found in: tokens first, tags last.
    pub(super) fn by_position(line: &str) -> Self {
        let width = cut(line, false).take(MAX_COLUMNS + 1).count();
        let (others, names) = (Vec::new(), Vec::new());
        let tag = width.saturating_sub(1);
        Self { tabs: false, width, token: 0, tag, others, names, fitting: 0, has_spans: false }
    }

    /// The columns of a line, and one more than there may be if there are too many.
    pub(super) fn cut<'line>(&self, line: &'line str) -> Vec<&'line str> {
        cut(line, self.tabs).take(MAX_COLUMNS + 1).collect()
    }

    /// Where spans are read from, if there is a choice.
    pub(super) fn source(&self) -> Option<String> {
        let has_choice = !self.others.is_empty() || self.tag + 1 != self.width;
        has_choice.then(|| self.called(self.tag))
    }

    /// The columns with tags that are not read.
    pub(super) fn others(&self) -> impl Iterator<Item = String> {
        self.others.iter().map(|at| self.called(*at))
    }

    fn called(&self, at: usize) -> String {
        match self.names.get(at) {
            Some(name) => format!("the column {}", shorten(name)),
            None => format!("column {}", at + 1),
        }
    }

    /// Whether the line names the columns.
    pub(super) fn is_heading(&self, cells: &[&str]) -> bool {
        !self.names.is_empty() && cells.iter().copied().eq(self.names.iter().map(String::as_str))
    }
}

fn cut(line: &str, tabs: bool) -> impl Iterator<Item = &str> {
    let cells =
        line.split(move |scalar| if tabs { scalar == '\t' } else { [' ', '\t'].contains(&scalar) });
    cells.map(|cell| cell.trim_matches(' ')).filter(move |cell| tabs || !cell.is_empty())
}

/// The names in the first line, where it is a head: one of tags has none, and others have.
fn heading(rows: &[Vec<&str>]) -> Vec<String> {
    let [first, second, ..] = rows else { return Vec::new() };
    let are_tags = |row: &Vec<&str>| row.iter().any(|cell| is_tag(cell));
    let is_head = first.len() == second.len() && !are_tags(first) && are_tags(second);
    if is_head { first.iter().map(|cell| (*cell).to_owned()).collect() } else { Vec::new() }
}

fn is_tag(cell: &str) -> bool {
    Tag::parse(cell).is_ok()
}

/// A number of a token, also within its sentence (`1-2`) or with a dot.
fn is_number(cell: &str) -> bool {
    !cell.is_empty()
        && cell.bytes().all(|byte| byte.is_ascii_digit() || b"-.".contains(&byte))
        && cell.starts_with(|first: char| first.is_ascii_digit())
}

fn most_frequent(widths: impl Iterator<Item = usize>) -> Option<usize> {
    let mut counts = std::collections::BTreeMap::<usize, usize>::new();
    for width in widths {
        *counts.entry(width).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(width, _)| width)
}
