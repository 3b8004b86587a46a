//! Plain text: the file is the document.

use std::io::{BufRead, Read};

use crate::import::detect::looks_like_columns;
use crate::import::document::ImportedDocument;
use crate::import::findings::note::{ImportNote, Note};
use crate::import::findings::repair::Repair;
use crate::import::format::stem;
use crate::import::limits::{MAX_DOCUMENT_BYTES, count64};
use crate::import::lines::{BYTE_ORDER_MARK, is_utf16};
use crate::problem::{ImportError, Problem};

/// Yields the one document of a plain-text file, or its one problem.
#[derive(Debug)]
pub(crate) struct PlainText<R> {
    file: String,
    reader: Option<R>,
    note: Option<Note>,
}

impl<R: BufRead> PlainText<R> {
    pub(crate) fn new(file_name: &str, reader: R) -> Self {
        Self { file: file_name.to_owned(), reader: Some(reader), note: None }
    }

    /// That there is nothing in the file, or something else than it seems.
    pub(crate) fn notes(&self) -> Vec<ImportNote> {
        let note = |note: &Note| ImportNote::new(&self.file, None, 1, note.clone());
        self.note.iter().map(note).collect()
    }
}

impl<R: BufRead> Iterator for PlainText<R> {
    type Item = Result<ImportedDocument, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        let reader = self.reader.take()?;
        Some(match read_text(reader, false) {
            Err((_, Problem::EmptyFile | Problem::EmptyText)) => {
                self.note = Some(Note::Repaired(Repair::Blank));
                return None;
            }
            Ok(text) => {
                self.note = looks_like_columns(&text).then_some(Note::LooksLikeColumns);
                let (id, name) = (None, stem(&self.file).to_owned());
                let (spans, answers, work) = (Vec::new(), Vec::new(), Vec::new());
                let judged = false;
                Ok(ImportedDocument { id, name, text, spans, answers, work, judged, line: 1 })
            }
            Err((line, problem)) => {
                Err(ImportError { file: self.file.clone(), line, field: None, problem })
            }
        })
    }
}

/// The whole text, or the line (where one is to blame) and what is wrong. A byte order mark is
/// dropped, unless it is to be kept as a character of the text.
pub(crate) fn read_text<R: BufRead>(
    reader: R,
    keep_mark: bool,
) -> Result<String, (Option<usize>, Problem)> {
    let mark = BYTE_ORDER_MARK.len();
    let most = count64(MAX_DOCUMENT_BYTES + mark + 1);
    let mut bytes = Vec::new();
    reader.take(most).read_to_end(&mut bytes).map_err(|error| (None, error.into()))?;
    if is_utf16(&bytes) {
        return Err((None, Problem::Utf16));
    }
    let marked = !keep_mark && bytes.starts_with(BYTE_ORDER_MARK);
    if marked {
        bytes.drain(..mark);
    }
    if bytes.is_empty() {
        return Err((None, Problem::EmptyFile));
    }
    if bytes.len() > MAX_DOCUMENT_BYTES {
        return Err((None, Problem::DocumentTooLarge));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let byte = if marked { valid + mark } else { valid };
        let problem = Problem::InvalidUtf8(count64(byte));
        (Some(line_at(error.as_bytes(), valid)), problem)
    })?;
    if let Some(position) = text.find('\0') {
        return Err((Some(line_at(text.as_bytes(), position)), Problem::ContainsNul));
    }
    if text.trim().is_empty() {
        return Err((None, Problem::EmptyText));
    }
    Ok(text)
}

/// The line, counted from 1, that holds the byte at `position`.
fn line_at(bytes: &[u8], position: usize) -> usize {
    1 + bytes.iter().take(position).filter(|byte| **byte == b'\n').count()
}
