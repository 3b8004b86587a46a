//! Documents of a JSON file, record by record; what makes documents of a record is the format's.

use std::collections::VecDeque;
use std::io::BufRead;

use super::at::At;
use super::node::parse;
use super::records::Records;
use crate::import::document::{ImportedDocument, ImportedSpan, ImportedWork};
use crate::import::error::{ImportError, Problem};
use crate::import::findings::{Findings, Notes};
use crate::import::format::stem;
use crate::import::note::ImportNote;

/// What a format makes of its records.
#[derive(Debug, Clone, Copy)]
pub(in crate::import) struct Shape {
    /// Makes the documents of one record.
    pub(super) read: fn(&Record<'_>, &mut Findings) -> Vec<ImportedDocument>,
    /// Fields that may be large and that no format needs, at any depth.
    pub(super) skipped: &'static [&'static str],
}

/// One record and what its documents are called.
#[derive(Debug)]
pub(super) struct Record<'record> {
    pub(super) root: At<'record>,
    pub(super) line: usize,
    /// Counted from 1.
    number: usize,
    file: &'record str,
}

impl Record<'_> {
    /// A document of this record, named as the file says, or after its id or its place.
    pub(super) fn document(
        &self,
        id: Option<String>,
        name: Option<String>,
        text: &str,
        spans: Vec<ImportedSpan>,
        work: Vec<ImportedWork>,
    ) -> ImportedDocument {
        let name = name
            .or_else(|| id.clone())
            .unwrap_or_else(|| format!("{}-{}", stem(self.file), self.number));
        let (text, line) = (text.to_owned(), self.line);
        ImportedDocument { id, name, text, spans, work, line }
    }

    /// The file's name without folders and extension.
    pub(super) fn stem(&self) -> &str {
        stem(self.file)
    }
}

/// Yields the documents and problems of a JSON file.
#[derive(Debug)]
pub(in crate::import) struct JsonFile<R> {
    records: Records<R>,
    shape: Shape,
    file: String,
    number: usize,
    notes: Notes,
    waiting: VecDeque<Result<ImportedDocument, ImportError>>,
}

impl<R: BufRead> JsonFile<R> {
    pub(in crate::import) fn new(shape: Shape, file_name: &str, reader: R) -> Self {
        let (records, file) = (Records::new(reader), file_name.to_owned());
        let notes = Notes::default();
        Self { records, shape, file, number: 0, notes, waiting: VecDeque::new() }
    }

    /// What was passed over so far.
    pub(in crate::import) fn notes(&self) -> Vec<ImportNote> {
        self.notes.of_file(&self.file)
    }

    fn read(&self, line: usize, record: &str, findings: &mut Findings) -> Vec<ImportedDocument> {
        match parse(record, line, self.shape.skipped) {
            Ok(node) => {
                let (root, number, file) = (At::root(&node), self.number, self.file.as_str());
                (self.shape.read)(&Record { root, line, number, file }, findings)
            }
            Err(problem) => {
                findings.refuse::<()>(None, problem);
                Vec::new()
            }
        }
    }
}

impl<R: BufRead> Iterator for JsonFile<R> {
    type Item = Result<ImportedDocument, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(outcome) = self.waiting.pop_front() {
                return Some(outcome);
            }
            let Some((line, record)) = self.records.next() else {
                let (file, problem) = (self.file.clone(), Problem::EmptyFile);
                let empty = std::mem::replace(&mut self.number, 1) == 0;
                let error = ImportError { file, line: None, field: None, problem };
                return empty.then_some(Err(error));
            };
            self.number += 1;
            let mut findings = Findings::default();
            let documents = match record {
                Ok(record) => self.read(line, &record, &mut findings),
                Err(problem) => {
                    findings.refuse::<()>(None, problem);
                    Vec::new()
                }
            };
            if findings.is_clean() {
                self.notes.collect(line, &mut findings);
                self.waiting.extend(documents.into_iter().map(Ok));
            } else {
                self.waiting.extend(findings.into_errors(&self.file, Some(line)).map(Err));
            }
        }
    }
}
