//! Reading the documents of a bundle.

use std::collections::HashSet;
use std::io::{BufRead, Cursor, Read, Seek};
use std::ops::ControlFlow;

use crate::brat::read::{NamedBytes, read_brat};
use crate::bundle::Bundle;
use crate::bundle::group::{BundlePart, Known, brat_texts, groups};
use crate::bundle::inception::{PROJECT, States, zipped_xmi};
use crate::bundle::layout::{Layout, SERIALIZED};
use crate::bundle::merge::{Merged, attribute};
use crate::bundle::name::{begins_archive, is_archive};
use crate::bundle::source::{self, BundleFile};
use crate::import::document::ImportedDocument;
use crate::import::findings::note::{ImportNote, Note, Notes};
use crate::import::format::ImportFormat;
use crate::import::limits::{MAX_DOCUMENT_BYTES, MAX_LINE_BYTES, MAX_RECORD_BYTES, count64};
use crate::import::options::ReadOptions;
use crate::import::read_from;
use crate::problem::bundle::BundleProblem;
use crate::problem::{ImportError, Problem};

/// How much of a file tells its format: JSON may have a long text before its telling fields.
const BEGINNING: u64 = 64 * 1024;

/// A document of a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BundledDocument {
    /// The document.
    pub document: ImportedDocument,
    /// The file that it is from, or the first of several, as errors name it.
    pub file: String,
    /// What the document is called by its path, where the layout says whose its file is.
    pub called: Option<String>,
}

type DocumentResult = Result<BundledDocument, ImportError>;

impl<R: Read + Seek> Bundle<R> {
    /// Reads all documents, hands each and each problem to `take` until that says to stop, and
    /// returns what was detected, passed over and repaired, one note for each kind.
    ///
    /// Files of one document each (plain text, WebAnno TSV, brat) that are of the same document by
    /// the [`crate::Layout`] become one, with the work of each rater; their texts have to be the
    /// same, and a document with a problem in one of its files is not handed over. In files of
    /// many documents spans of nobody become the rater's whose file it is, and who has the same
    /// document in another file is for the caller to join, by id or name.
    pub fn read(
        &mut self,
        options: &ReadOptions,
        mut take: impl FnMut(DocumentResult) -> ControlFlow<()>,
    ) -> Vec<ImportNote> {
        let files = self.files().to_vec();
        let by_name: Vec<_> = files
            .iter()
            .map(|file| (&*file.path, ImportFormat::from_file_name(&file.path)))
            .collect();
        let annotated: HashSet<usize> = brat_texts(&by_name).into_iter().flatten().collect();
        let formats: Vec<Option<ImportFormat>> = (0..)
            .zip(&files)
            .map(|(at, file)| match options.format {
                // Whatever it looks like, what brat's annotations belong to is a text.
                None if annotated.contains(&at) => Some(ImportFormat::PlainText),
                _ => self.format(file, options),
            })
            .collect();
        let folder = self.folder;
        let mut notes = Notes::default();
        let states = self.states(&files, &mut notes);
        let known: Vec<Known<'_>> = files
            .iter()
            .zip(formats)
            .map(|(file, format)| {
                let origin = self.layout.origin(&file.path, folder);
                let origin = states.applied(origin, &self.shown(file), options, &mut notes);
                Known { path: &file.path, format, origin }
            })
            .collect();
        let (groups, left) = groups(&known);
        for at in &left {
            if let Some(file) = files.get(*at) {
                notes.add(passed_over(&self.shown(file), "files of another kind", 1));
            }
        }
        if self.passed_over > 0 {
            let what = "files that systems and editors leave behind";
            notes.add(passed_over(&self.name, what, self.passed_over));
        }
        if groups.is_empty() {
            let is_serialized =
                |file: &BundleFile| file.path.split('/').any(|folder| folder == SERIALIZED);
            let problem = if files.iter().any(is_serialized) {
                BundleProblem::Serialized
            } else {
                BundleProblem::NothingKnown
            };
            let _ = take(Err(self.refused(None, problem.into())));
        }
        for group in groups {
            let flow = match group.as_slice() {
                [part] if !part.format.is_one_document() => {
                    self.read_many(&files, part, options, &mut notes, &mut take)
                }
                _ => self.read_one(&files, &group, options, &mut notes, &mut take),
            };
            if flow.is_break() {
                break;
            }
        }
        notes.into_vec()
    }

    /// Reads a file of many documents.
    fn read_many(
        &mut self,
        files: &[BundleFile],
        part: &BundlePart,
        options: &ReadOptions,
        notes: &mut Notes,
        take: &mut impl FnMut(DocumentResult) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(file) = files.get(part.file) else { return ControlFlow::Continue(()) };
        let (shown, layout) = (self.shown(file), self.layout);
        let reader = match self.open(file) {
            Ok(reader) => reader,
            Err(error) => return take(Err(error)),
        };
        let mut documents = read_from(part.format, &shown, reader, options);
        for outcome in documents.by_ref() {
            // Somebody's folder has a file of nothing where they have judged nothing.
            if layout == Layout::FolderPerRater
                && let Err(ImportError { problem: Problem::EmptyFile, .. }) = &outcome
            {
                notes.add(passed_over(&shown, "files without documents", 1));
                continue;
            }
            take(outcome.map(|mut document| {
                attribute(&mut document, &part.origin.author);
                bundled(layout, document, (&shown, part))
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
        options: &ReadOptions,
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
                        .add(document, &shown, notes)
                        .map_err(|problem| vec![self.refused(Some(file), problem.into())])?,
                }
                Ok(())
            });
            for error in added.err().into_iter().flatten() {
                sound = false;
                take(Err(error))?;
            }
        }
        match merged.filter(|_| sound).zip(group.first()) {
            Some((merged, first)) => {
                let (document, file) = merged.into_parts();
                take(Ok(bundled(self.layout, document, (&file, first))))
            }
            None => ControlFlow::Continue(()),
        }
    }

    /// Reads a file, or two of brat, as one document of its author.
    fn read_part(
        &mut self,
        files: &[BundleFile],
        part: &BundlePart,
        file: &BundleFile,
        options: &ReadOptions,
        notes: &mut Notes,
    ) -> Result<ImportedDocument, Vec<ImportError>> {
        let mut document = match part.text.and_then(|text| files.get(text)) {
            Some(text) => self.read_pair(text, file, options, notes)?,
            None => self.read_alone(file, part.format, options, notes)?,
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
        options: &ReadOptions,
        notes: &mut Notes,
    ) -> Result<ImportedDocument, Vec<ImportError>> {
        let (text_name, name) = (self.shown(text), self.shown(annotations));
        let text = self.bytes(text, MAX_DOCUMENT_BYTES + 1).map_err(|error| vec![error])?;
        let bytes = self.bytes(annotations, 2 * MAX_LINE_BYTES).map_err(|error| vec![error])?;
        let (document, found) = read_brat(
            NamedBytes { name: &text_name, bytes: &text },
            NamedBytes { name: &name, bytes: &bytes },
            options,
        )?;
        notes.extend(found);
        Ok(document)
    }

    /// Reads a file that is one document.
    fn read_alone(
        &mut self,
        file: &BundleFile,
        format: ImportFormat,
        options: &ReadOptions,
        notes: &mut Notes,
    ) -> Result<ImportedDocument, Vec<ImportError>> {
        let shown = self.shown(file);
        let reader: Box<dyn BufRead + '_> = if is_archive(&file.path) {
            let refuse = |problem| vec![ImportError::of_file(&shown, problem)];
            let mut zip = Vec::new();
            let opened = source::open(&mut self.archive, file)
                .and_then(|reader| reader.take(count64(MAX_RECORD_BYTES)).read_to_end(&mut zip));
            opened.map_err(|error| refuse(error.into()))?;
            Box::new(Cursor::new(zipped_xmi(zip).map_err(refuse)?))
        } else {
            Box::new(self.open(file).map_err(|error| vec![error])?)
        };
        let mut documents = read_from(format, &shown, reader, options);
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

    /// How far everybody is, where the export of a project says so.
    fn states(&mut self, files: &[BundleFile], notes: &mut Notes) -> States {
        let folder = self.folder;
        let is_project = |file: &&BundleFile| file.path.get(folder..) == Some(PROJECT);
        let project = files.iter().find(is_project).filter(|_| self.layout == Layout::Inception);
        let bytes = project.map(|file| self.bytes(file, MAX_RECORD_BYTES).unwrap_or_default());
        States::of(bytes.as_deref(), notes)
    }

    /// The format by name and first bytes; none also for what cannot be opened and is no format's
    /// by its name.
    fn format(&mut self, file: &BundleFile, options: &ReadOptions) -> Option<ImportFormat> {
        if is_archive(&file.path) {
            return Some(ImportFormat::CasXmi);
        }
        let mut beginning = Vec::new();
        if let Ok(reader) = source::open(&mut self.archive, file) {
            // What cannot be read to its end is told when the file is read.
            let _read = reader.take(BEGINNING).read_to_end(&mut beginning);
        }
        options.format_of(&file.path, &beginning)
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

fn passed_over(file: &str, what: &str, count: usize) -> ImportNote {
    ImportNote::new(file, None, count, Note::PassedOver(what.to_owned()))
}

fn bundled(
    layout: Layout,
    document: ImportedDocument,
    (file, part): (&str, &BundlePart),
) -> BundledDocument {
    let called = (layout != Layout::Plain).then(|| part.origin.document.clone());
    BundledDocument { document, file: file.to_owned(), called }
}
