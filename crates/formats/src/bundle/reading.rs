//! Reading the documents of a bundle.

use std::collections::HashSet;
use std::io::{BufRead, Read, Seek};
use std::ops::ControlFlow;

use crate::brat::read::{Discontinuous, NamedBytes, read_brat};
use crate::bundle::Bundle;
use crate::bundle::group::{BundlePart, Known, groups};
use crate::bundle::merge::{Merged, attribute};
use crate::bundle::name::begins_archive;
use crate::bundle::source::{self, BundleFile};
use crate::import::document::ImportedDocument;
use crate::import::format::ImportFormat;
use crate::import::limits::{MAX_DOCUMENT_BYTES, MAX_LINE_BYTES, count64};
use crate::import::note::{ImportNote, Note};
use crate::import::read_from;
use crate::problem::bundle::BundleProblem;
use crate::problem::{ImportError, Problem};

/// How much of a file tells its format: JSON may have a long text before its telling fields.
const BEGINNING: u64 = 64 * 1024;

/// How to read a bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BundleOptions {
    /// What to do with spans of brat that have text between their parts.
    pub discontinuous: Discontinuous,
}

type DocumentResult = Result<ImportedDocument, ImportError>;

impl<R: Read + Seek> Bundle<R> {
    /// Reads all documents, hands each and each problem to `take` until that says to stop, and
    /// returns what was detected (in several files alike: in the first) and passed over.
    ///
    /// Files of one document each (plain text, WebAnno TSV, brat) that are of the same document by
    /// the [`crate::Layout`] become one, with the work of each rater; their texts have to be the
    /// same, and a document with a problem in one of its files is not handed over. In files of
    /// many documents spans of nobody become the rater's whose file it is, and who has the same
    /// document in another file is for the caller to join, by id or name.
    pub fn read(
        &mut self,
        options: BundleOptions,
        mut take: impl FnMut(DocumentResult) -> ControlFlow<()>,
    ) -> Vec<ImportNote> {
        let files = self.files().to_vec();
        let formats: Vec<Option<ImportFormat>> =
            files.iter().map(|file| self.format(file)).collect();
        let folder = self.folder;
        let known: Vec<Known<'_>> = files
            .iter()
            .zip(formats)
            .map(|(file, format)| Known {
                path: &file.path,
                format,
                origin: self.layout.origin(&file.path, folder),
            })
            .collect();
        let (groups, left) = groups(&known);
        let mut notes = Notes::default();
        for at in &left {
            if let Some(file) = files.get(*at) {
                notes.passed_over(self.shown(file), "a file of another kind", 1);
            }
        }
        if self.passed_over > 0 {
            let what = "files that systems and editors leave behind";
            notes.passed_over(self.name.clone(), what, self.passed_over);
        }
        if groups.is_empty() {
            let _ = take(Err(self.refused(None, BundleProblem::NothingKnown.into())));
        }
        for group in groups {
            let flow = match group.as_slice() {
                [part] if !part.format.is_one_document() => {
                    self.read_many(&files, part, &mut notes, &mut take)
                }
                _ => self.read_one(&files, &group, options, &mut notes, &mut take),
            };
            if flow.is_break() {
                break;
            }
        }
        notes.found
    }

    /// Reads a file of many documents.
    fn read_many(
        &mut self,
        files: &[BundleFile],
        part: &BundlePart,
        notes: &mut Notes,
        take: &mut impl FnMut(DocumentResult) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(file) = files.get(part.file) else { return ControlFlow::Continue(()) };
        let shown = self.shown(file);
        let reader = match self.open(file) {
            Ok(reader) => reader,
            Err(error) => return take(Err(error)),
        };
        let mut documents = read_from(part.format, &shown, reader);
        for outcome in documents.by_ref() {
            take(outcome.map(|mut document| {
                attribute(&mut document, &part.origin.author);
                document
            }))?;
        }
        notes.extend(documents.notes());
        ControlFlow::Continue(())
    }

    /// Reads the files of one document and joins them.
    fn read_one(
        &mut self,
        files: &[BundleFile],
        group: &[BundlePart],
        options: BundleOptions,
        notes: &mut Notes,
        take: &mut impl FnMut(DocumentResult) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut merged: Option<Merged> = None;
        let mut sound = true;
        for part in group {
            let Some(file) = files.get(part.file) else { continue };
            let shown = self.shown(file);
            let added = self.read_part(files, part, file, options, notes).and_then(|document| {
                match &mut merged {
                    None => merged = Some(Merged::new(document, &shown)),
                    Some(merged) => merged
                        .add(document, &shown)
                        .map_err(|problem| vec![self.refused(Some(file), problem.into())])?,
                }
                Ok(())
            });
            for error in added.err().into_iter().flatten() {
                sound = false;
                take(Err(error))?;
            }
        }
        match merged.filter(|_| sound) {
            Some(merged) => take(Ok(merged.document)),
            None => ControlFlow::Continue(()),
        }
    }

    /// Reads a file, or two of brat, as one document of its author.
    fn read_part(
        &mut self,
        files: &[BundleFile],
        part: &BundlePart,
        file: &BundleFile,
        options: BundleOptions,
        notes: &mut Notes,
    ) -> Result<ImportedDocument, Vec<ImportError>> {
        let mut document = match part.text.and_then(|text| files.get(text)) {
            Some(text) => self.read_pair(text, file, options, notes)?,
            None => self.read_alone(file, part.format, notes)?,
        };
        // A plain text is a document that somebody may have marked elsewhere, and nobody's work.
        if part.format != ImportFormat::PlainText {
            attribute(&mut document, &part.origin.author);
        }
        if let Some(name) = &part.origin.name {
            document.name.clone_from(name);
        }
        Ok(document)
    }

    /// Reads a text and its annotations by brat.
    fn read_pair(
        &mut self,
        text: &BundleFile,
        annotations: &BundleFile,
        options: BundleOptions,
        notes: &mut Notes,
    ) -> Result<ImportedDocument, Vec<ImportError>> {
        let (text_name, name) = (self.shown(text), self.shown(annotations));
        let text = self.bytes(text, MAX_DOCUMENT_BYTES + 1).map_err(|error| vec![error])?;
        let bytes = self.bytes(annotations, 2 * MAX_LINE_BYTES).map_err(|error| vec![error])?;
        let (document, found) = read_brat(
            NamedBytes { name: &text_name, bytes: &text },
            NamedBytes { name: &name, bytes: &bytes },
            options.discontinuous,
        )?;
        notes.extend(found);
        Ok(document)
    }

    /// Reads a file that is one document.
    fn read_alone(
        &mut self,
        file: &BundleFile,
        format: ImportFormat,
        notes: &mut Notes,
    ) -> Result<ImportedDocument, Vec<ImportError>> {
        let shown = self.shown(file);
        let reader = self.open(file).map_err(|error| vec![error])?;
        let mut documents = read_from(format, &shown, reader);
        let (mut found, mut errors) = (None, Vec::new());
        for outcome in documents.by_ref() {
            match outcome {
                Ok(document) if found.is_none() => found = Some(document),
                Ok(_) => {
                    errors.push(ImportError::of_file(&shown, BundleProblem::SeveralDocuments));
                    break;
                }
                Err(error) => errors.push(error),
            }
        }
        notes.extend(documents.notes());
        found.filter(|_| errors.is_empty()).ok_or(errors)
    }

    /// The format by name and first bytes; none also for what cannot be opened and is no format's
    /// by its name.
    fn format(&mut self, file: &BundleFile) -> Option<ImportFormat> {
        let mut beginning = Vec::new();
        if let Ok(reader) = source::open(&mut self.archive, file) {
            // What cannot be read to its end is told when the file is read.
            let _read = reader.take(BEGINNING).read_to_end(&mut beginning);
        }
        ImportFormat::detect(&file.path, &beginning)
    }

    /// Opens a file that is no archive itself.
    fn open(&mut self, file: &BundleFile) -> Result<impl BufRead + use<'_, R>, ImportError> {
        let shown = self.shown(file);
        let opened = source::open(&mut self.archive, file).and_then(|mut reader| {
            let nested = begins_archive(reader.fill_buf()?);
            Ok((reader, nested))
        });
        match opened {
            Ok((reader, false)) => Ok(reader),
            Ok((_, true)) => Err(ImportError::of_file(&shown, BundleProblem::Nested)),
            Err(error) => Err(ImportError::of_file(&shown, error)),
        }
    }

    /// All bytes of a file, which may be so many.
    fn bytes(&mut self, file: &BundleFile, most: usize) -> Result<Vec<u8>, ImportError> {
        let most = count64(most);
        if file.size > most {
            return Err(self.refused(Some(file), Problem::DocumentTooLarge));
        }
        let mut bytes = Vec::new();
        let read = self.open(file)?.take(most).read_to_end(&mut bytes);
        read.map_err(|error| self.refused(Some(file), error.into()))?;
        Ok(bytes)
    }

    /// The file's name in errors.
    fn shown(&self, file: &BundleFile) -> String {
        format!("{}/{}", self.name, file.path)
    }

    fn refused(&self, file: Option<&BundleFile>, problem: Problem) -> ImportError {
        let file = file.map_or_else(|| self.name.clone(), |file| self.shown(file));
        ImportError::of_file(&file, problem)
    }
}

/// What was detected and passed over.
#[derive(Default)]
struct Notes {
    found: Vec<ImportNote>,
    detected: HashSet<Note>,
}

impl Notes {
    /// Adds the notes of a file; what was detected in the same way in a file before is told once.
    fn extend(&mut self, notes: Vec<ImportNote>) {
        for note in notes {
            let detected =
                matches!(note.note, Note::TagScheme(_) | Note::SpanColumn(_) | Note::Layer { .. });
            if !detected || self.detected.insert(note.note.clone()) {
                self.found.push(note);
            }
        }
    }

    fn passed_over(&mut self, file: String, what: &str, count: usize) {
        let note = Note::PassedOver { what: what.to_owned(), count };
        self.found.push(ImportNote { file, line: None, note });
    }
}
