//! The document of a table of spans that is being read.

use std::collections::{HashMap, HashSet};

use crate::TextIndex;
use crate::import::document::{ImportedDocument, ImportedSpan, ImportedWork};
use crate::import::limits::{MAX_DOCUMENT_BYTES, MAX_LINE_BYTES};
use crate::import::spans::{once, placed, quoted, quotes_inside};
use crate::problem::Problem;
use crate::table::columns::{CellProblem, END, Head, LABEL, QUOTE, Row, TEXT};

/// The most bytes that the rows of a document may take besides its text.
const MAX_ROWS_BYTES: usize = 2 * MAX_LINE_BYTES;

/// The most problems that are told of a document's spans: enough to see the pattern.
const MAX_PROBLEMS: usize = 100;

/// What a row takes beyond its labels and quotes, about.
const ROW_BYTES: usize = size_of::<Row>();

/// A document, its rows so far, and whether they are all sound.
#[derive(Debug)]
pub(super) struct Draft {
    head: Head,
    line: usize,
    /// The text, and the first row that has it.
    text: Option<(String, usize)>,
    rows: Vec<(Row, usize)>,
    bytes: usize,
    sound: bool,
}

/// What is odd in a document: spans that are there twice or hold nothing, quotes with other edges.
#[derive(Debug, Default)]
pub(super) struct Oddities {
    pub(super) repeated: usize,
    pub(super) empty: usize,
    pub(super) edges: usize,
}

/// A document that has ended: itself, and what is odd in it; or, unless they were told before, its
/// problems with their lines.
pub(super) type Finished = Result<(ImportedDocument, Oddities), Vec<(usize, CellProblem)>>;

impl Draft {
    pub(super) const fn new(head: Head, line: usize) -> Self {
        Self { head, line, text: None, rows: Vec::new(), bytes: 0, sound: true }
    }

    pub(super) const fn head(&self) -> &Head {
        &self.head
    }

    /// The line on which the document began.
    pub(super) const fn line(&self) -> usize {
        self.line
    }

    /// Whose rows these are; none if one of them is of nobody.
    pub(super) fn raters(&self) -> Option<HashSet<String>> {
        self.rows.iter().map(|(row, _)| row.rater.clone()).collect()
    }

    /// The text, if a row has it.
    pub(super) fn text(&self) -> Option<&str> {
        self.text.as_ref().map(|(text, _)| text.as_str())
    }

    /// Takes the text that the document has in rows before.
    pub(super) fn set_text(&mut self, text: &str, line: usize) {
        self.text = Some((text.to_owned(), line));
    }

    /// Lets go of what was read, since the document will not be yielded.
    pub(super) fn spoil(&mut self) {
        self.sound = false;
        self.text = None;
        self.rows = Vec::new();
    }

    /// Takes a row of this document.
    pub(super) fn add(&mut self, mut row: Row, line: usize) -> Result<(), CellProblem> {
        if !self.sound {
            return Ok(());
        }
        if let Some(text) = row.text.take() {
            match &self.text {
                None if text.len() > MAX_DOCUMENT_BYTES => {
                    return Err((TEXT, Problem::DocumentTooLarge));
                }
                None if text.trim().is_empty() => return Err((TEXT, Problem::EmptyText)),
                None => self.text = Some((text, line)),
                Some((first, _)) if *first == text => {}
                Some((_, first_line)) => {
                    return Err((TEXT, Problem::TableOtherText(*first_line)));
                }
            }
        }
        let cells = [&row.rater, &row.quote].into_iter().flatten();
        let label = row.span.as_ref().map_or(0, |(_, _, label)| label.len());
        self.bytes += ROW_BYTES + label + cells.map(String::len).sum::<usize>();
        if self.bytes > MAX_ROWS_BYTES {
            return Err((LABEL, Problem::TooManySpans));
        }
        self.rows.push((row, line));
        Ok(())
    }

    /// Ends the document; nothing if its problems were told already.
    pub(super) fn finish(self) -> Option<Finished> {
        if !self.sound {
            return None;
        }
        let Some((text, _)) = self.text else {
            const EXPECTED: &str = "the document's text in one of its rows";
            let problem = Problem::MissingField(EXPECTED);
            return Some(Err(vec![(self.line, (TEXT, problem))]));
        };
        let mut marks = Marks::default();
        let mut problems = Vec::new();
        let index = TextIndex::new(&text);
        for (row, line) in self.rows {
            if let Err(problem) = marks.add(row, line, &index) {
                problems.push((line, problem));
                if problems.len() == MAX_PROBLEMS {
                    break;
                }
            }
        }
        if !problems.is_empty() {
            return Some(Err(problems));
        }
        let Marks { mut spans, mut work, mut odd, .. } = marks;
        let of_raters = work.iter_mut().map(|work| &mut work.spans);
        odd.repeated = of_raters.chain([&mut spans]).map(once).sum();
        let Head { id, document: name } = self.head;
        let (line, judged, answers) = (self.line, true, Vec::new());
        Some(Ok((ImportedDocument { id, name, text, spans, answers, work, judged, line }, odd)))
    }
}

/// What everybody marked in a document.
#[derive(Debug, Default)]
struct Marks {
    spans: Vec<ImportedSpan>,
    work: Vec<ImportedWork>,
    /// Where each rater's work is.
    places: HashMap<String, usize>,
    odd: Oddities,
}

impl Marks {
    fn add(&mut self, row: Row, line: usize, index: &TextIndex<'_>) -> Result<(), CellProblem> {
        let place = row.rater.map(|rater| {
            *self.places.entry(rater).or_insert_with_key(|rater| {
                self.work.push(ImportedWork::of_spans(rater.clone(), Vec::new()));
                self.work.len() - 1
            })
        });
        let Some((start, end, label)) = row.span else { return Ok(()) };
        let (start, end) = match placed(start, end, index.scalar_count()) {
            Err(Problem::EmptySpan(_)) => {
                self.odd.empty += 1;
                return Ok(());
            }
            placed => placed.map_err(|problem| (END, problem))?,
        };
        if let Some(quote) = &row.quote
            && let Err(problem) = quoted(index, start, end, quote)
        {
            self.odd.edges += 1;
            if !quotes_inside(index, start, end, quote) {
                return Err((QUOTE, problem));
            }
        }
        let span = ImportedSpan { start, end, label, line };
        match place.and_then(|place| self.work.get_mut(place)) {
            Some(work) => work.spans.push(span),
            None => self.spans.push(span),
        }
        Ok(())
    }
}
