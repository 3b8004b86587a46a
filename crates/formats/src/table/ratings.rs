//! Answers in a table, as CSV: a row for each item, a column for each rater.

use std::collections::{HashMap, HashSet};
use std::io::BufRead;

use csv::{ByteRecord, ReaderBuilder};
use domain::without_guard;

use crate::export::annotated::AnswerWords;
use crate::import::document::{ImportedAnswer, ImportedDocument, ImportedWork, check_text};
use crate::import::findings::count::Count;
use crate::import::findings::note::ImportNote;
use crate::import::findings::repair::Repair;
use crate::import::format::stem;
use crate::problem::exchange::ExchangeProblem;
use crate::problem::quoted::shorten;
use crate::problem::{ImportError, Problem};
use crate::table::columns::{MAX_COLUMNS, TEXT, known};
use crate::table::rows::{Rows, delimiter, hash};

/// A column and what is wrong in it.
type FieldProblem = (Option<String>, Problem);

/// What the first column is called where nothing else is meant; the latter is that of our own export.
const ITEM: [&str; 2] = ["item", "position"];

/// What stands for no answer, besides nothing: as where such tables are measured.
const MISSING: [&str; 3] = ["NA", ".", "*"];

/// Yields the documents and problems of a table of answers.
#[derive(Debug)]
pub(crate) struct Ratings<R> {
    rows: Rows<R>,
    file: String,
    head: Option<Head>,
    /// The items so far, by a hash, with their lines.
    items: HashMap<u64, usize>,
    blank: Count,
    /// Whether the file has said anything.
    begun: bool,
    ended: bool,
}

/// What the first row says.
#[derive(Debug)]
struct Head {
    /// What parts the cells.
    delimiter: u8,
    /// The name of the first column.
    item: String,
    /// Where the texts are.
    text: Option<usize>,
    /// Where the answers are, and whose.
    raters: Vec<(usize, String)>,
    width: usize,
}

/// What another row says.
#[derive(Debug)]
struct Row {
    item: String,
    text: String,
    /// Raters with their answers.
    answers: Vec<(String, String)>,
}

impl<R: BufRead> Ratings<R> {
    pub(crate) fn new(file_name: &str, reader: R) -> Self {
        Self {
            rows: Rows::of_values(reader),
            file: file_name.to_owned(),
            head: None,
            items: HashMap::new(),
            blank: Count::default(),
            begun: false,
            ended: false,
        }
    }

    /// What was passed over so far.
    pub(crate) fn notes(&self) -> Vec<ImportNote> {
        self.blank.note(&self.file, Repair::Blank).into_iter().collect()
    }

    /// Reads a row that is not the first; nothing if its cells are all empty.
    fn read_row(
        &mut self,
        record: &ByteRecord,
        line: usize,
    ) -> Result<Option<ImportedDocument>, FieldProblem> {
        let Some(head) = &self.head else { return Ok(None) };
        if record.iter().all(|cell| cell.trim_ascii().is_empty()) {
            self.blank.add(line);
            return Ok(None);
        }
        let Row { item, text, answers } = head.row(record)?;
        let first_line = *self.items.entry(hash(&item)).or_insert(line);
        if first_line != line {
            let first_file = self.file.clone();
            let problem = Problem::DuplicateId { id: item, first_file, first_line };
            return Err((Some(head.item.clone()), problem));
        }
        let question = stem(&self.file);
        let work = answers.into_iter().map(|(rater, answer)| ImportedWork {
            rater,
            spans: Vec::new(),
            answers: vec![ImportedAnswer {
                span: None,
                question: question.to_owned(),
                answer: AnswerWords::One(answer),
                line,
            }],
        });
        Ok(Some(ImportedDocument {
            id: Some(item.clone()),
            name: item,
            text,
            spans: Vec::new(),
            answers: Vec::new(),
            work: work.collect(),
            judged: false,
            line,
        }))
    }

    fn error(&self, line: usize, (field, problem): FieldProblem) -> ImportError {
        ImportError { file: self.file.clone(), line: Some(line), field, problem }
    }
}

impl<R: BufRead> Iterator for Ratings<R> {
    type Item = Result<ImportedDocument, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            let read = match self.rows.read() {
                Some(Ok((record, line))) if self.head.is_none() => {
                    match Head::read(&record, self.rows.delimiter) {
                        Ok(head) => {
                            self.head = Some(head);
                            continue;
                        }
                        Err(problem) => {
                            self.ended = true;
                            Err(self.error(line, problem))
                        }
                    }
                }
                Some(Ok((record, line))) => match self.read_row(&record, line) {
                    Ok(Some(document)) => Ok(document),
                    Ok(None) => continue,
                    Err(problem) => Err(self.error(line, problem)),
                },
                Some(Err((problem, line))) => {
                    self.ended = true;
                    Err(self.error(line, (None, problem)))
                }
                None => {
                    self.ended = true;
                    if self.begun {
                        return None;
                    }
                    Err(ImportError::of_file(&self.file, Problem::EmptyFile))
                }
            };
            self.begun = true;
            return Some(read);
        }
        None
    }
}

impl Head {
    /// An answer; with a point where a spreadsheet that writes semicolons has a decimal comma.
    fn with_point(&self, answer: &str) -> String {
        let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
        match answer.split_once(',') {
            Some((whole, part))
                if self.delimiter == b';'
                    && is_digits(whole.strip_prefix(['-', '−']).unwrap_or(whole))
                    && is_digits(part) =>
            {
                format!("{whole}.{part}")
            }
            _ => answer.to_owned(),
        }
    }

    /// Finds the texts and the raters by the first row.
    fn read(record: &ByteRecord, delimiter: u8) -> Result<Self, FieldProblem> {
        if record.len() > MAX_COLUMNS {
            return Err((None, ExchangeProblem::TooMany("columns", MAX_COLUMNS).into()));
        }
        let width = record.len();
        let (item, raters) = (String::new(), Vec::new());
        let mut head = Self { delimiter, item, text: None, raters, width };
        let mut named = HashSet::new();
        for (place, name) in record.iter().enumerate() {
            let name = words(name).map_err(|problem| (Some(column(place)), problem))?;
            if place == 0 {
                head.item = if name.is_empty() { ITEM[0].to_owned() } else { shorten(name) };
            } else if name.is_empty() {
                let expected = "the name of the rater whose answers are in the column";
                return Err((Some(column(place)), Problem::MissingField(expected)));
            } else if is_text(name) {
                if head.text.replace(place).is_some() {
                    return Err((Some(shorten(name)), Problem::TableColumnTwice));
                }
            } else if named.insert(name) {
                head.raters.push((place, name.to_owned()));
            } else {
                return Err((Some(shorten(name)), Problem::TableColumnTwice));
            }
        }
        if head.raters.is_empty() { Err((None, Problem::NoRaters)) } else { Ok(head) }
    }

    /// The cells of a row.
    fn row(&self, record: &ByteRecord) -> Result<Row, FieldProblem> {
        if record.len() != self.width {
            let (found, expected) = (record.len(), self.width);
            return Err((None, Problem::TableCells { found, expected }));
        }
        let of_item = |problem| (Some(self.item.clone()), problem);
        let cell = |place: usize| utf8(record.get(place).unwrap_or_default());
        let item = cell(0).map_err(of_item)?;
        if item.trim().is_empty() {
            return Err(of_item(Problem::Blank));
        }
        let text = match self.text {
            Some(place) => {
                let text = cell(place).and_then(|text| check_text(text).map(|()| text));
                text.map_err(|problem| (Some(TEXT.to_owned()), problem))?
            }
            None => check_text(item).map(|()| item).map_err(of_item)?,
        };
        let mut answers = Vec::new();
        for (place, rater) in &self.raters {
            let answer = words(record.get(*place).unwrap_or_default());
            let answer = answer.map_err(|problem| (Some(shorten(rater)), problem))?;
            if !answer.is_empty() && !MISSING.contains(&answer) {
                answers.push((rater.clone(), self.with_point(answer)));
            }
        }
        Ok(Row { item: item.to_owned(), text: text.to_owned(), answers })
    }
}

/// Whether a table that begins so is surely one of answers: it says that its rows are items, and of
/// the other columns at least two are raters, while none is called as those of spans are.
pub(crate) fn is_beginning(text: &str) -> bool {
    let mut builder = ReaderBuilder::new();
    let delimiter = delimiter(text.as_bytes());
    let builder = builder.has_headers(false).delimiter(delimiter);
    let mut first = ByteRecord::new();
    if !builder.from_reader(text.as_bytes()).read_byte_record(&mut first).unwrap_or(false) {
        return false;
    }
    let names_items = first.get(0).and_then(|name| words(name).ok()).is_some_and(|name| {
        let lower = name.to_lowercase();
        ITEM.contains(&lower.as_str())
    });
    let is_of_answers = |head: &Head| {
        head.raters.len() > 1 && head.raters.iter().all(|(_, name)| known(name).is_none())
    };
    names_items && Head::read(&first, delimiter).is_ok_and(|head| is_of_answers(&head))
}

/// Whether the column of this name holds texts, rather than a rater's answers.
fn is_text(name: &str) -> bool {
    known(name) == Some(TEXT)
}

/// The place of a column for people, who count from 1.
fn column(place: usize) -> String {
    format!("column {}", place + 1)
}

/// A cell as it stands.
fn utf8(cell: &[u8]) -> Result<&str, Problem> {
    let cell = std::str::from_utf8(cell).map_err(|_| Problem::CellNotUtf8)?;
    if cell.contains('\0') { Err(Problem::ContainsNul) } else { Ok(cell) }
}

/// A cell without what stands around its words, which spreadsheets need or people leave there.
fn words(cell: &[u8]) -> Result<&str, Problem> {
    Ok(without_guard(utf8(cell)?.trim()).trim())
}
