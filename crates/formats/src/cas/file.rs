//! A file with a CAS in it, whichever way it is written: one look at it yields all its documents.

use std::collections::VecDeque;
use std::io::BufRead;

use crate::cas::{Cas, Stop, read_json, read_xmi};
use crate::import::document::ImportedDocument;
use crate::import::findings::note::{ImportNote, Notes};
use crate::import::options::ReadOptions;
use crate::problem::ImportError;

/// Fills a CAS from a file.
type Read<R> = fn(R, Cas) -> Result<Cas, Stop>;

/// Yields the documents of a CAS, or its problems.
#[derive(Debug)]
pub(crate) struct CasFile<R> {
    reader: Option<R>,
    read: Read<R>,
    options: ReadOptions,
    file: String,
    notes: Notes,
    waiting: VecDeque<Result<ImportedDocument, ImportError>>,
}

impl<R: BufRead> CasFile<R> {
    /// A CAS as XMI.
    pub(crate) fn xmi(file_name: &str, reader: R, options: &ReadOptions) -> Self {
        Self::new(file_name, reader, options, read_xmi::read)
    }

    /// A CAS as JSON.
    pub(crate) fn json(file_name: &str, reader: R, options: &ReadOptions) -> Self {
        Self::new(file_name, reader, options, read_json::read)
    }

    fn new(file_name: &str, reader: R, options: &ReadOptions, read: Read<R>) -> Self {
        let (file, options) = (file_name.to_owned(), options.clone());
        let (notes, waiting) = (Notes::default(), VecDeque::new());
        Self { reader: Some(reader), read, options, file, notes, waiting }
    }

    /// What was passed over so far.
    pub(crate) fn notes(&self) -> Vec<ImportNote> {
        self.notes.as_slice().to_vec()
    }
}

impl<R: BufRead> Iterator for CasFile<R> {
    type Item = Result<ImportedDocument, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(reader) = self.reader.take() {
            match (self.read)(reader, Cas::new(&self.options)) {
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
