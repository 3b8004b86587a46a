//! Documents of a JSON file, record by record; what makes documents of a record is the format's.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::BufRead;

use crate::import::document::{ImportedDocument, ImportedSpan, ImportedWork, comparable_text};
use crate::import::findings::Findings;
use crate::import::findings::note::{ImportNote, Note, Notes};
use crate::import::findings::repair::Repair;
use crate::import::format::stem;
use crate::import::lines::Lines;
use crate::import::options::ReadOptions;
use crate::json::records::Records;
use crate::json::value::at::At;
use crate::json::value::node::{Kept, MAX_VALUES, Node, Unparsed, parse};
use crate::problem::exchange::ExchangeProblem;
use crate::problem::{ImportError, Problem};

/// What a format makes of its records.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    /// Makes the documents of one record.
    pub(crate) read: fn(&Record<'_>, &mut Findings) -> Vec<ImportedDocument>,
    pub(crate) cut: Cut,
    pub(crate) kept: Kept,
    /// Whether texts that were cut out of one document have its id.
    pub(crate) cut_texts: bool,
}

/// How a file is cut into records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Each line is one, and counted as it is; those with nothing in them are passed over.
    Lines,
    /// See [`Records`].
    Values,
}

#[derive(Debug)]
enum Pieces<R> {
    Lines(Lines<R>),
    Values(Records<R>),
}

impl<R: BufRead> Iterator for Pieces<R> {
    type Item = (usize, Result<String, Problem>);

    fn next(&mut self) -> Option<Self::Item> {
        let is_blank =
            |line: &Result<String, Problem>| line.as_ref().is_ok_and(|line| line.trim().is_empty());
        match self {
            Self::Lines(lines) => lines.find(|(_, line)| !is_blank(line)),
            Self::Values(records) => records.next(),
        }
    }
}

/// One record and what its documents are called.
#[derive(Debug)]
pub(crate) struct Record<'record> {
    pub(crate) root: At<'record>,
    pub(crate) line: usize,
    /// That of its line, or counted from 1.
    number: usize,
    file: &'record str,
}

impl Record<'_> {
    /// A document of this record, named as the file says, or after its id or its place.
    pub(crate) fn document(
        &self,
        id: Option<String>,
        name: Option<String>,
        text: &str,
        (spans, judged): (Vec<ImportedSpan>, bool),
        work: Vec<ImportedWork>,
    ) -> ImportedDocument {
        let name = name
            .or_else(|| id.clone())
            .unwrap_or_else(|| format!("{}-{}", stem(self.file), self.number));
        let (text, answers, line) = (text.to_owned(), Vec::new(), self.line);
        ImportedDocument { id, name, text, spans, answers, work, judged, line }
    }

    /// The file's name without folders and extension.
    pub(crate) fn stem(&self) -> &str {
        stem(self.file)
    }
}

/// Yields the documents and problems of a JSON file.
#[derive(Debug)]
pub(crate) struct JsonFile<R> {
    records: Pieces<R>,
    shape: Shape,
    file: String,
    number: usize,
    options: ReadOptions,
    notes: Notes,
    waiting: VecDeque<Result<ImportedDocument, ImportError>>,
    /// The texts that have an id, by their hashes, where one may be of a whole that was cut.
    texts: HashMap<String, Vec<u64>>,
}

impl<R: BufRead> JsonFile<R> {
    pub(crate) fn new(shape: Shape, file_name: &str, reader: R, options: &ReadOptions) -> Self {
        let file = file_name.to_owned();
        let records = match shape.cut {
            Cut::Lines => Pieces::Lines(Lines::new(reader)),
            Cut::Values => Pieces::Values(Records::new(reader)),
        };
        let (options, notes) = (options.clone(), Notes::default());
        let (waiting, texts) = (VecDeque::new(), HashMap::new());
        Self { records, shape, file, number: 0, options, notes, waiting, texts }
    }

    /// What was passed over so far.
    pub(crate) fn notes(&self) -> Vec<ImportNote> {
        self.notes.as_slice().to_vec()
    }

    /// Gives the further texts of one id ids of their own: parts of a document that was cut keep its id.
    fn tell_apart(&mut self, document: &mut ImportedDocument) {
        let Some(id) = document.id.as_mut().filter(|_| self.shape.cut_texts) else { return };
        let mut hasher = DefaultHasher::new();
        comparable_text(&document.text).hash(&mut hasher);
        let text = hasher.finish();
        let texts = self.texts.entry(id.clone()).or_default();
        let place = texts.iter().position(|known| *known == text).unwrap_or_else(|| {
            texts.push(text);
            texts.len() - 1
        });
        if place > 0 {
            let own = format!("{id} ({})", place + 1);
            if document.name == *id {
                document.name.clone_from(&own);
            }
            *id = own;
            let note = Note::Repaired(Repair::SharedId);
            self.notes.add(ImportNote::new(&self.file, Some(document.line), 1, note));
        }
    }

    fn read(&self, line: usize, record: &str, findings: &mut Findings) -> Vec<ImportedDocument> {
        let parsed = match parse(record, self.shape.kept) {
            // What is called otherwise, or asked for, may hold the spans.
            Ok(node) if !self.options.layers.is_empty() || has_spans_elsewhere(&node) => {
                parse(record, self.shape.kept.with_all())
            }
            parsed => parsed,
        };
        let problem = match parsed {
            Ok(node) => {
                let (root, number, file) = (At::root(&node), self.number, self.file.as_str());
                return (self.shape.read)(&Record { root, line, number, file }, findings);
            }
            Err(Unparsed::TooMany) => ExchangeProblem::TooManyValues(MAX_VALUES).into(),
            Err(Unparsed::Invalid { column, reason, .. }) if self.shape.cut == Cut::Lines => {
                Problem::InvalidJson { column, reason }
            }
            Err(Unparsed::Invalid { line: within, column, reason }) => {
                let line = line + within.saturating_sub(1);
                ExchangeProblem::InvalidRecord { line, column, reason }.into()
            }
        };
        findings.refuse::<()>(None, problem);
        Vec::new()
    }
}

/// Whether a field that was not stored holds spans.
fn has_spans_elsewhere(node: &Node) -> bool {
    let Node::Object(fields) = node else { return false };
    fields.iter().any(|(_, value)| matches!(value, Node::Spans))
}

impl<R: BufRead> Iterator for JsonFile<R> {
    type Item = Result<ImportedDocument, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(outcome) = self.waiting.pop_front() {
                return Some(outcome);
            }
            let Some((line, record)) = self.records.next() else {
                let empty = std::mem::replace(&mut self.number, 1) == 0;
                return empty.then(|| Err(ImportError::of_file(&self.file, Problem::EmptyFile)));
            };
            self.number = if self.shape.cut == Cut::Lines { line } else { self.number + 1 };
            let mut findings = Findings::new(&self.options);
            let documents = match record {
                Ok(record) => self.read(line, &record, &mut findings),
                Err(problem) => {
                    findings.refuse::<()>(None, problem);
                    Vec::new()
                }
            };
            if findings.is_blank() {
                let blank = Note::Repaired(Repair::Blank);
                self.notes.add(ImportNote::new(&self.file, Some(line), 1, blank));
            } else if findings.is_clean() {
                self.notes.extend(findings.notes(&self.file, line));
                for mut document in documents {
                    self.tell_apart(&mut document);
                    self.waiting.push_back(Ok(document));
                }
            } else {
                self.waiting.extend(findings.into_errors(&self.file, Some(line)).map(Err));
            }
        }
    }
}
