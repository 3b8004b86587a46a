//! Which columns a file has, told by its first lines: where tokens stand, and where tags.

use std::borrow::Cow;

use crate::columns::tags::Tag;
use crate::import::options::ReadOptions;
use crate::problem::Problem;
use crate::problem::quoted::shorten;

/// What phrases are called by the taggers of CoNLL-2000 and CoNLL-2003, whose tags look like those
/// of entities.
const CHUNKS: [&str; 15] = [
    "NP", "VP", "PP", "ADVP", "SBAR", "ADJP", "PRT", "CONJP", "INTJ", "LST", "UCP", "NC", "VC",
    "PC", "AC",
];

/// What columns are called, where nothing else tells a head from tokens with labels.
const HEADS: [&str; 14] = [
    "token", "tokens", "word", "words", "form", "text", "tag", "tags", "ner", "ne", "label",
    "labels", "ner_tag", "ner_tags",
];

/// The most columns of a line.
pub(super) const MAX_COLUMNS: usize = 100;

/// How lines are cut into columns, and which of them matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Layout {
    parting: Parting,
    pub(super) width: usize,
    pub(super) token: usize,
    pub(super) tag: usize,
    /// The columns with tags that are not read.
    others: Vec<usize>,
    /// How many tags with labels each of them has.
    left: Vec<usize>,
    /// What the first line calls the columns.
    names: Vec<String>,
    /// The part of lines that have these columns, in percent.
    pub(crate) fitting: usize,
    /// Whether a tag opens a span or goes on with one.
    pub(crate) has_spans: bool,
    /// Whether every line says that its token is in no span.
    pub(crate) all_outside: bool,
    /// How the tags are written.
    pub(super) writing: Writing,
    /// Whether a column that somebody asks for is there, if somebody does.
    pub(super) has_asked: bool,
}

/// What parts columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Parting {
    Tabs,
    WhiteSpace,
    /// White space before the last cell, which goes on to the end of the line: a label with blanks.
    OpenEnd,
}

/// How the tags of a column are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Writing {
    /// With a prefix and a label.
    Tags,
    /// As labels without a prefix.
    Labels,
    /// As prefixes without a label.
    Prefixes,
    /// As the value of a layer of WebAnno whose spans are single tokens.
    Values,
}

impl Writing {
    /// Reads a cell.
    pub(super) fn parse(self, cell: &str) -> Result<Tag<'_>, Problem> {
        match self {
            Self::Tags => Tag::parse(cell),
            Self::Labels => Tag::parse_label(cell),
            Self::Prefixes => Tag::parse_bare(cell),
            Self::Values if Tag::is_outside(cell) => Ok(Tag::Outside),
            Self::Values if cell.trim().is_empty() => Err(Problem::Blank),
            Self::Values => Ok(Tag::Begin(cell)),
        }
    }

    /// Whether tags are labels without a prefix.
    pub(super) const fn are_labels(self) -> bool {
        matches!(self, Self::Labels | Self::Values)
    }

    /// The same of a table of WebAnno with the names of layers in its first line: some tokens have a value.
    fn of_layer(cells: &[&str]) -> Option<Self> {
        let has_gaps = cells.iter().any(|cell| Tag::is_outside(cell));
        let is_word = |cell: &&str| {
            !Tag::is_outside(cell)
                && cell.chars().any(char::is_alphabetic)
                && Tag::parse(cell).is_err()
        };
        (has_gaps && cells.iter().any(is_word)).then_some(Self::Values)
    }

    /// How the cells of a column are written, if they are tags at all: cells without a prefix are labels
    /// beside many that are `O`.
    fn of(cells: &[&str]) -> Option<Self> {
        let marked =
            || cells.iter().copied().filter(|cell| !cell.is_empty() && !Tag::is_outside(cell));
        let outside = cells.iter().filter(|cell| **cell == "O").count();
        marked().next()?;
        if marked().all(|cell| Tag::parse_bare(cell).is_ok()) && marked().any(|it| it == "B") {
            return Some(Self::Prefixes);
        }
        let is_word = |cell: &str| cell.starts_with(char::is_alphabetic);
        let are_many = outside * 100 >= cells.len() * LEAST_OUTSIDE;
        (are_many && marked().all(is_word) && Tag::are_labels(cells.iter().copied()))
            .then_some(Self::Labels)
    }
}

/// As many of the cells of a column of labels say that there is none, in percent.
const LEAST_OUTSIDE: usize = 20;

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
        let names_layers =
            lines.first().is_some_and(|line| line.starts_with(" # ") && line.contains(" | "));
        // A comment may end like a tag; the token "#" has as many cells as the others.
        let is_hashed = |line: &str| line.trim_start().starts_with('#');
        let is_comment =
            |line: &str| is_hashed(line) && !line.rsplit(['\t', ' ']).next().is_some_and(is_tag);
        lines.retain(|line| !is_comment(line));
        let cells = |line: &&str| line.split_whitespace().count();
        let usual = most_frequent(lines.iter().filter(|line| !is_hashed(line)).map(cells));
        lines.retain(|line| !is_hashed(line) || usual.is_none_or(|usual| cells(line) == usual));
        let tabbed = lines.iter().filter(|line| line.contains('\t')).count();
        let tabs = 2 * tabbed > lines.len();
        let split = |line| cut(line, tabs).take(MAX_COLUMNS).collect::<Vec<&str>>();
        let mut rows: Vec<Vec<&str>> = lines.into_iter().map(split).collect();
        let names = heading(&rows);
        if !names.is_empty() {
            rows.remove(0);
        }
        let open_end = (!tabs).then(|| labels_begin(&rows)).flatten();
        if let Some(width) = open_end {
            for row in &mut rows {
                row.truncate(width);
            }
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
        let of_tags = |at: &usize| {
            share(*at, |cell| is_tag(cell) || cell.is_empty()) >= 80
                && fit.iter().any(|row| is_tag(cell(row, *at)) && cell(row, *at) != "_")
        };
        let others = |at: &usize| {
            let cells: Vec<&str> = fit.iter().map(|row| cell(row, *at)).collect();
            let of_layer = || Writing::of_layer(&cells).filter(|_| names_layers);
            Writing::of(&cells).or_else(of_layer)
        };
        let mut columns: Vec<usize> =
            (0..width).filter(|at| *at != token).filter(of_tags).collect();
        // A column in which nothing is marked may be beside one of labels.
        let is_marked =
            |at: &usize| share(*at, |cell| Tag::is_outside(cell) || cell.is_empty()) < 100;
        let mut writing = Writing::Tags;
        if !columns.iter().any(is_marked) {
            let found =
                (0..width).filter(|at| *at != token).find_map(|at| Some((at, others(&at)?)));
            if let Some((at, found)) = found {
                columns = (at..width).filter(|other| others(other) == Some(found)).collect();
                writing = found;
            }
        }
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
        let has_asked = options.layers.is_empty() || asked.is_some();
        if let Some(asked) = asked {
            writing = if of_tags(&asked) {
                Writing::Tags
            } else {
                others(&asked).unwrap_or(Writing::Tags)
            };
        }
        let first = || columns.iter().copied().find(|at| !is_chunk(at));
        // Where nothing is tagged, nothing tells chunks from entities, which come last.
        let untagged = columns.iter().all(|at| share(*at, Tag::is_outside) == 100);
        let tag = asked.or_else(|| if untagged { columns.last().copied() } else { first() });
        let tag = tag.or_else(|| columns.last().copied())?;
        let has_spans = fit.iter().any(|row| {
            columns
                .iter()
                .any(|at| writing.parse(cell(row, *at)).is_ok_and(|tag| tag.label().is_some()))
        });
        let all_outside = rows.len() > 1
            && fit.len() == rows.len()
            && fit.iter().all(|row| cell(row, tag) == "O");
        let parting = match open_end {
            Some(_) => Parting::OpenEnd,
            None if tabs => Parting::Tabs,
            None => Parting::WhiteSpace,
        };
        let fitting = fit.len() * 100 / rows.len().max(1);
        let others: Vec<usize> = columns.into_iter().filter(|at| *at != tag).collect();
        Some(Self {
            parting,
            width,
            token,
            tag,
            left: vec![0; others.len()],
            others,
            names,
            fitting,
            has_spans,
            all_outside,
            writing,
            has_asked,
        })
    }

    /// What a file has that no column with tags is found in: tokens first, tags last.
    pub(super) fn by_position(line: &str) -> Self {
        let width = cut(line, false).take(MAX_COLUMNS + 1).count();
        let (others, names) = (Vec::new(), Vec::new());
        let tag = width.saturating_sub(1);
        Self {
            parting: Parting::WhiteSpace,
            width,
            token: 0,
            tag,
            left: Vec::new(),
            others,
            names,
            fitting: 0,
            has_spans: false,
            all_outside: false,
            writing: Writing::Tags,
            has_asked: true,
        }
    }

    /// The columns of a line, and one more than there may be if there are too many.
    pub(super) fn cut<'line>(&self, line: &'line str) -> Vec<Cow<'line, str>> {
        let tabs = self.parting == Parting::Tabs;
        let mut cells: Vec<Cow<'_, str>> =
            cut(line, tabs).take(MAX_COLUMNS + 1).map(Cow::Borrowed).collect();
        if cells.len() <= self.width || tabs || cells.len() > MAX_COLUMNS {
            return cells;
        }
        let more = cells.len() - self.width;
        let is_tag = |at: usize| cells.get(at).is_some_and(|cell| self.writing.parse(cell).is_ok());
        if self.parting == Parting::OpenEnd && is_tag(self.tag) {
            let label = cells.split_off(self.tag).join(" ");
            cells.push(Cow::Owned(label));
        } else if std::iter::once(&self.tag).chain(&self.others).all(|at| is_tag(*at + more)) {
            // The token has blanks.
            let after = cells.split_off(self.token + more + 1);
            let token = cells.split_off(self.token).join(" ");
            cells.push(Cow::Owned(token));
            cells.extend(after);
        }
        cells
    }

    /// Whether the line has more cells than the others, so that one of them has blanks.
    pub(super) fn has_more(&self, line: &str) -> bool {
        self.parting == Parting::WhiteSpace
            && cut(line, false).take(self.width + 1).count() > self.width
    }

    /// What the columns are called that somebody may ask for.
    pub(super) fn columns(&self) -> Vec<String> {
        let mut columns: Vec<usize> = self.others.iter().copied().chain([self.tag]).collect();
        columns.sort_unstable();
        let name =
            |at: &usize| self.names.get(*at).cloned().unwrap_or_else(|| (at + 1).to_string());
        columns.iter().map(name).collect()
    }

    /// Where spans are read from, if there is a choice.
    pub(super) fn source(&self) -> Option<String> {
        let has_choice = !self.others.is_empty() || self.tag + 1 != self.width;
        has_choice.then(|| self.called(self.tag))
    }

    /// The columns with tags that are not read, each with how many tags of labels it has.
    pub(super) fn others(&self) -> impl Iterator<Item = (String, usize)> {
        self.others.iter().zip(&self.left).map(|(at, count)| (self.called(*at), *count))
    }

    /// Counts the tags of a line that are not read.
    pub(super) fn leave(&mut self, cells: &[Cow<'_, str>]) {
        for (at, count) in self.others.iter().zip(&mut self.left) {
            let tag = cells.get(*at).map(|cell| self.writing.parse(cell));
            *count += usize::from(tag.is_some_and(|it| it.is_ok_and(|tag| tag.label().is_some())));
        }
    }

    fn called(&self, at: usize) -> String {
        match self.names.get(at) {
            Some(name) => format!("the column {}", shorten(name)),
            None => format!("column {}", at + 1),
        }
    }

    /// Whether the line names the columns.
    pub(super) fn is_heading(&self, cells: &[Cow<'_, str>]) -> bool {
        !self.names.is_empty() && cells.iter().eq(self.names.iter())
    }
}

fn cut(line: &str, tabs: bool) -> impl Iterator<Item = &str> {
    let cells =
        line.split(move |scalar| if tabs { scalar == '\t' } else { [' ', '\t'].contains(&scalar) });
    cells.map(|cell| cell.trim_matches(' ')).filter(move |cell| tabs || !cell.is_empty())
}

/// How many cells lines have before their labels go on with blanks: lines without a label end there in
/// `O`, and all that are longer have a tag with a label there and none at their end.
fn labels_begin(rows: &[Vec<&str>]) -> Option<usize> {
    let width = rows.iter().map(Vec::len).filter(|width| *width > 1).min()?;
    let cell = |row: &Vec<&str>| row.get(width - 1).map_or(String::new(), |it| (*it).to_owned());
    let has_label = |row: &Vec<&str>| Tag::parse(&cell(row)).is_ok_and(|tag| tag.label().is_some());
    let (long, short): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.len() > width);
    let is_long = |row: &&Vec<&str>| has_label(row) && !row.last().is_some_and(|last| is_tag(last));
    let is_split = long.iter().any(&is_long)
        && long.iter().all(is_long)
        && short.iter().all(|row| is_tag(&cell(row)));
    is_split.then_some(width)
}

/// The names in the first line, where it is a head: one of tags has none, and others have.
fn heading(rows: &[Vec<&str>]) -> Vec<String> {
    let [first, second, ..] = rows else { return Vec::new() };
    let are_tags = |row: &Vec<&str>| row.iter().any(|cell| is_tag(cell));
    // Where no tag has a prefix, the first line may have a label.
    let has_label = |cell: &str| Tag::parse(cell).is_ok_and(|tag| tag.label().is_some());
    let are_told = rows.iter().flatten().any(|cell| has_label(cell));
    let is_name = |cell: &&str| HEADS.contains(&cell.to_lowercase().as_str());
    let is_head = first.len() == second.len()
        && !are_tags(first)
        && are_tags(second)
        && (are_told || first.iter().any(is_name));
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
