//! A file with a CAS in it, whichever way it is written: one look at it yields all its documents.

use std::collections::VecDeque;
use std::io::BufRead;

use crate::cas::{Cas, Stop, read_json, read_xmi};
use crate::import::document::ImportedDocument;
use crate::import::findings::Notes;
use crate::import::note::ImportNote;
use crate::problem::ImportError;

/// Yields the documents of a CAS, or its problems.
#[derive(Debug)]
pub(crate) struct CasFile<R> {
    reader: Option<R>,
    read: fn(R) -> Result<Cas, Stop>,
    file: String,
    notes: Notes,
    waiting: VecDeque<Result<ImportedDocument, ImportError>>,
}

impl<R: BufRead> CasFile<R> {
    /// A CAS as XMI.
    pub(crate) fn xmi(file_name: &str, reader: R) -> Self {
        Self::new(file_name, reader, read_xmi::read)
    }

    /// A CAS as JSON.
    pub(crate) fn json(file_name: &str, reader: R) -> Self {
        Self::new(file_name, reader, read_json::read)
    }

    fn new(file_name: &str, reader: R, read: fn(R) -> Result<Cas, Stop>) -> Self {
        let (file, notes) = (file_name.to_owned(), Notes::default());
        Self { reader: Some(reader), read, file, notes, waiting: VecDeque::new() }
    }

    /// What was passed over so far.
    pub(crate) fn notes(&self) -> Vec<ImportNote> {
        self.notes.of_file(&self.file)
    }
}

impl<R: BufRead> Iterator for CasFile<R> {
    type Item = Result<ImportedDocument, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(reader) = self.reader.take() {
            match (self.read)(reader) {
                Ok(cas) => match cas.documents(&self.file, &mut self.notes) {
                    Ok(documents) => self.waiting.extend(documents.into_iter().map(Ok)),
                    Err(errors) => self.waiting.extend(errors.into_iter().map(Err)),
                },
                Err((line, field, problem)) => {
                    let file = self.file.clone();
                    self.waiting.push_back(Err(ImportError { file, line, field, problem }));
                }
            }
        }
        self.waiting.pop_front()
    }
}
