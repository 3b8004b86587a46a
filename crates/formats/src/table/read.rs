//! Spans in a table, as CSV or TSV: a row for each span, told by the names in the first row.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};
use std::io::BufRead;

use crate::import::document::ImportedDocument;
use crate::import::findings::count::Count;
use crate::import::findings::note::{ImportNote, Note};
use crate::import::findings::repair::Repair;
use crate::import::limits::MAX_DOCUMENT_BYTES;
use crate::problem::{ImportError, Problem};
use crate::table::columns::{Columns, DOCUMENT, Head, TEXT};
use crate::table::draft::Draft;
use crate::table::rows::{Rows, hash};

type DocumentResult = Result<ImportedDocument, ImportError>;

/// The most columns that notes name; the others are counted.
const MAX_NAMED: usize = 20;

/// Yields the documents and problems of a table of spans.
#[derive(Debug)]
pub(crate) struct SpanTable<R> {
    rows: Rows<R>,
    file: String,
    columns: Option<Columns>,
    draft: Option<Draft>,
    /// Documents that have ended, by a hash of id and name.
    ended_documents: HashMap<u64, Ended>,
    /// How many bytes of their texts are kept.
    kept: usize,
    apart: Count,
    repeated: usize,
    empty: Count,
    edges: Count,
    /// What is yielded before the next row is read.
    waiting: VecDeque<DocumentResult>,
    ended: bool,
}

/// A document that has ended: rows of other raters may follow, as in tables that are sorted by rater.
#[derive(Debug)]
struct Ended {
    /// The line that it began on.
    line: usize,
    /// Those who had rows, and the text; none where rows are of nobody, or there is too much to keep.
    of: Option<(HashSet<String>, String)>,
}

/// The most bytes of texts and names that are kept of documents that have ended.
const MAX_KEPT: usize = MAX_DOCUMENT_BYTES;

impl<R: BufRead> SpanTable<R> {
    /// A table of values that commas or semicolons part.
    pub(crate) fn of_values(file_name: &str, reader: R) -> Self {
        Self::new(file_name, Rows::of_values(reader))
    }

    /// A table of values that tabs part.
    pub(crate) fn of_tabs(file_name: &str, reader: R) -> Self {
        Self::new(file_name, Rows::new(reader, b'\t'))
    }

    fn new(file_name: &str, rows: Rows<R>) -> Self {
        Self {
            rows,
            file: file_name.to_owned(),
            columns: None,
            draft: None,
            ended_documents: HashMap::new(),
            kept: 0,
            apart: Count::default(),
            repeated: 0,
            empty: Count::default(),
            edges: Count::default(),
            waiting: VecDeque::new(),
            ended: false,
        }
    }

    /// What was passed over so far.
    pub(crate) fn notes(&self) -> Vec<ImportNote> {
        let note = |line, count, note| ImportNote::new(&self.file, line, count, note);
        let mut notes = Vec::new();
        let others = self.columns.as_ref().map_or(&[][..], Columns::others);
        for name in others.iter().take(MAX_NAMED) {
            let what = format!("the column \"{name}\"");
            notes.push(note(Some(1), 1, Note::PassedOver(what)));
        }
        if let Some(count @ 1..) = others.len().checked_sub(MAX_NAMED) {
            let what = "columns after these".to_owned();
            notes.push(note(Some(1), count, Note::PassedOver(what)));
        }
        if self.repeated > 0 {
            notes.push(note(None, self.repeated, Note::Repeated));
        }
        notes.extend(self.apart.note(&self.file, Repair::Apart));
        notes.extend(self.empty.note(&self.file, Repair::EmptySpan));
        notes.extend(self.edges.note(&self.file, Repair::QuoteEdges));
        notes
    }

    fn error(&self, line: Option<usize>, field: Option<&str>, problem: Problem) -> ImportError {
        let field = field.map(str::to_owned);
        ImportError { file: self.file.clone(), line, field, problem }
    }

    /// Reads a row into what is yielded; false at the end of the file.
    fn read_row(&mut self) -> bool {
        let (record, line) = match self.rows.read() {
            Some(Ok(read)) => read,
            None => return false,
            Some(Err((problem, line))) => {
                self.refuse(line, None, problem);
                return false;
            }
        };
        let Some(columns) = &self.columns else {
            match Columns::read(&record) {
                Ok(columns) => self.columns = Some(columns),
                Err((field, problem)) => {
                    let error = self.error(Some(line), field.as_deref(), problem);
                    self.waiting.push_back(Err(error));
                    self.ended = true;
                    return false;
                }
            }
            return true;
        };
        let (head, row) = (columns.head(&record), columns.row(&record));
        if let Ok(head) = head {
            self.start_document(head, line);
        }
        let added = row.and_then(|row| {
            let added = self.draft.as_mut().map_or(Ok(()), |draft| draft.add(row, line));
            added.map_err(|(field, problem)| (Some(field), problem))
        });
        if let Err((field, problem)) = added {
            self.refuse(line, field, problem);
        }
        true
    }

    /// Notes that a row cannot be read; the document it stands in is not yielded.
    fn refuse(&mut self, line: usize, field: Option<&str>, problem: Problem) {
        if let Some(draft) = &mut self.draft {
            draft.spoil();
        }
        self.waiting.push_back(Err(self.error(Some(line), field, problem)));
    }

    /// Ends the document before if this row is of another.
    fn start_document(&mut self, head: Head, line: usize) {
        if self.draft.as_ref().is_some_and(|draft| *draft.head() == head) {
            return;
        }
        self.finish_document();
        let before = self.ended_documents.get(&hash(&head));
        let refused = before.filter(|before| before.of.is_none()).map(|before| before.line);
        self.draft = Some(Draft::new(head, line));
        if let Some(first_line) = refused {
            self.refuse(line, Some(DOCUMENT), Problem::TableDocumentAgain(first_line));
        }
    }

    /// Goes on with a document that has ended, whose rows now are of others, with the same text.
    fn go_on(&mut self, draft: &mut Draft) -> Result<(), (&'static str, Problem)> {
        let (line, raters) = (draft.line(), draft.raters());
        let text = draft.text().map(str::to_owned);
        match self.ended_documents.entry(hash(draft.head())) {
            Entry::Vacant(new) => {
                let of = raters.zip(text).filter(|(raters, text)| {
                    let bytes = text.len() + raters.iter().map(String::len).sum::<usize>();
                    let fits = self.kept + bytes <= MAX_KEPT;
                    self.kept += if fits { bytes } else { 0 };
                    fits
                });
                new.insert(Ended { line, of });
                Ok(())
            }
            Entry::Occupied(known) => {
                let known = known.into_mut();
                let again = (DOCUMENT, Problem::TableDocumentAgain(known.line));
                let Some((before, own)) = &mut known.of else { return Ok(()) };
                let Some(raters) = raters.filter(|raters| raters.is_disjoint(before)) else {
                    return Err(again);
                };
                match text {
                    Some(text) if text != *own => {
                        return Err((TEXT, Problem::TableOtherText(known.line)));
                    }
                    Some(_) => {}
                    None => draft.set_text(own, known.line),
                }
                before.extend(raters);
                self.apart.add(line);
                Ok(())
            }
        }
    }

    fn finish_document(&mut self) {
        let Some(mut draft) = self.draft.take() else { return };
        if let Err((field, problem)) = self.go_on(&mut draft) {
            let error = self.error(Some(draft.line()), Some(field), problem);
            self.waiting.push_back(Err(error));
            return;
        }
        match draft.finish() {
            None => {}
            Some(Ok((document, repairs))) => {
                self.repeated += repairs.repeated;
                self.empty.add_all(repairs.empty, document.line);
                self.edges.add_all(repairs.edges, document.line);
                self.waiting.push_back(Ok(document));
            }
            Some(Err(problems)) => {
                for (line, (field, problem)) in problems {
                    self.waiting.push_back(Err(self.error(Some(line), Some(field), problem)));
                }
            }
        }
    }
}

impl<R: BufRead> Iterator for SpanTable<R> {
    type Item = DocumentResult;

    fn next(&mut self) -> Option<DocumentResult> {
        loop {
            if let Some(outcome) = self.waiting.pop_front() {
                return Some(outcome);
            }
            if self.ended {
                return None;
            }
            if !self.read_row() {
                let empty = self.columns.is_none() && self.waiting.is_empty();
                let no_rows = self.draft.is_none() && self.ended_documents.is_empty();
                self.finish_document();
                self.ended = true;
                if (empty || no_rows) && self.waiting.is_empty() {
                    return Some(Err(self.error(None, None, Problem::EmptyFile)));
                }
            }
        }
    }
}
