//! From files to documents with marks of raters who have no names yet.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Cursor,
    ops::ControlFlow,
};

use formats::{
    Bundle, BundleLimits, BundleOptions, Discontinuous, ImportError, ImportFormat, ImportNote,
    ImportedDocument, ImportedSpan, Layout, NamedBytes,
};

use domain::RatersFrom;

use super::{ComparingOptions, problems::Problems};
use crate::importing::{UNKNOWN_FORMAT, UploadedFile};

/// The most documents of one comparison, counted in each file.
const MAX_DOCUMENTS: usize = 200_000;

/// What the formats are called whose files can be compared: those that hold marks.
pub fn known_formats() -> Vec<&'static str> {
    let hold_marks = ImportFormat::ALL.iter().filter(|format| holds_marks(**format));
    hold_marks.map(|format| format.name()).collect()
}

/// Whether files of the format can say what somebody has marked. In one that cannot, nobody has
/// judged anything.
const fn holds_marks(format: ImportFormat) -> bool {
    !matches!(format, ImportFormat::PlainText)
}

/// As much of a file tells its format.
const BEGINNING: usize = 64 * 1024;

/// As many remarks on a file are told.
const NOTES: usize = 5;

/// A file as it was read.
#[derive(Debug)]
pub(super) struct ReadFile {
    pub(super) name: String,
    pub(super) format: &'static str,
    pub(super) documents: u64,
    pub(super) spans: u64,
}

/// A document of one file.
#[derive(Debug)]
pub(super) struct ReadDocument {
    /// The place of its file among all.
    pub(super) file: usize,
    pub(super) line: usize,
    pub(super) id: Option<String>,
    pub(super) name: String,
    pub(super) text: String,
    /// Marks by rater; `None` is whom the file's name or folder stands for.
    pub(super) work: Vec<(Option<String>, Vec<ImportedSpan>)>,
}

impl ReadDocument {
    /// Whether the file's name or folder has to say whose some of the marks are.
    pub(super) fn has_nameless_work(&self) -> bool {
        self.work.iter().any(|(rater, _)| rater.is_none())
    }
}

/// What the files hold.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub(super) files: Vec<ReadFile>,
    pub(super) documents: Vec<ReadDocument>,
    pub(super) notes: Vec<String>,
    /// Files of folders that are of no known format.
    pub(super) left_out: Vec<String>,
}

/// Reads the files one after the other; the bytes of each are let go of before the next.
pub(super) fn read(
    files: Vec<UploadedFile>,
    options: ComparingOptions,
    problems: &mut Problems,
) -> Reading {
    let mut reading = Reading::default();
    let mut texts = texts_of_brat(&files);
    let mut files: Vec<Option<UploadedFile>> = files.into_iter().map(Some).collect();
    for place in 0..files.len() {
        if problems.are_many() {
            break;
        }
        let is_text_of_brat = texts.values().any(|text| *text == place);
        let Some(file) = files.get_mut(place).filter(|_| !is_text_of_brat).and_then(Option::take)
        else {
            continue;
        };
        let text = texts.remove(without_ending(&file.name));
        let text =
            text.filter(|_| is_brat(&file.name)).and_then(|text| files.get_mut(text)?.take());
        match text {
            Some(text) => reading.read_brat(&text, file, problems),
            None if is_zip(&file) => reading.read_zip(file, options, problems),
            None => reading.read_file(file, problems),
        }
    }
    reading
}

fn named(file: &UploadedFile) -> NamedBytes<'_> {
    NamedBytes { name: &file.name, bytes: &file.bytes }
}

/// The places of the texts whose marks are in a file of brat beside, by their names without ending.
fn texts_of_brat(files: &[UploadedFile]) -> BTreeMap<String, usize> {
    let marks: BTreeSet<&str> = files
        .iter()
        .filter(|file| is_brat(&file.name))
        .map(|file| without_ending(&file.name))
        .collect();
    let texts = files.iter().enumerate().filter(|(_, file)| {
        ImportFormat::from_file_name(&file.name) == Some(ImportFormat::PlainText)
            && marks.contains(without_ending(&file.name))
    });
    texts.map(|(place, file)| (without_ending(&file.name).to_owned(), place)).collect()
}

fn is_brat(name: &str) -> bool {
    ImportFormat::from_file_name(name) == Some(ImportFormat::Brat)
}

fn is_zip(file: &UploadedFile) -> bool {
    file.bytes.starts_with(b"PK\x03\x04") || file.bytes.starts_with(b"PK\x05\x06")
}

fn without_ending(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(before, _)| before)
}

impl Reading {
    fn read_file(&mut self, file: UploadedFile, problems: &mut Problems) {
        let UploadedFile { name, bytes } = file;
        let beginning = bytes.get(..BEGINNING).unwrap_or(&bytes);
        let Some(format) = ImportFormat::detect(&name, beginning) else {
            // A folder has files beside; whoever names a file wants it.
            if name.contains(['/', '\\']) {
                self.left_out.push(name);
            } else {
                problems.add_of_file(&name, UNKNOWN_FORMAT);
            }
            return;
        };
        let mut taking = self.taking(holds_marks(format), problems);
        let mut documents = formats::read(format, &name, &bytes);
        for outcome in documents.by_ref() {
            if taking.take(&name, outcome).is_break() {
                break;
            }
        }
        let notes = documents.notes();
        self.end_file(name, format.name(), notes);
    }

    /// Reads a text and its marks.
    fn read_brat(&mut self, text: &UploadedFile, marks: UploadedFile, problems: &mut Problems) {
        let read = formats::read_brat(named(text), named(&marks), Discontinuous::default());
        let mut taking = self.taking(true, problems);
        let mut notes = Vec::new();
        match read {
            Ok((document, found)) => {
                notes = found;
                let _ = taking.take(&marks.name, Ok(document));
            }
            Err(errors) => errors.iter().for_each(|error| taking.problems.add_error(error)),
        }
        self.end_file(marks.name, ImportFormat::Brat.name(), notes);
    }

    /// Reads what is in a zip; whose it is, its folders may say, or its files if somebody says so.
    fn read_zip(&mut self, file: UploadedFile, options: ComparingOptions, problems: &mut Problems) {
        let UploadedFile { name, bytes } = file;
        let mut limits = BundleLimits::default();
        limits.total_bytes = options.most_unpacked.unwrap_or(limits.total_bytes);
        let mut bundle = match Bundle::from_zip(&name, Cursor::new(&bytes), &limits) {
            Ok(bundle) => bundle,
            Err(error) => return problems.add_error(&error),
        };
        match options.raters_from {
            RatersFrom::Auto => {}
            RatersFrom::File => bundle.set_layout(Layout::FilePerRater),
            RatersFrom::Folder => bundle.set_layout(Layout::FolderPerRater),
        }
        let mut taking = self.taking(true, problems);
        let notes = bundle.read(BundleOptions::default(), |outcome| taking.take(&name, outcome));
        self.end_file(name, "zip", notes);
    }

    /// Begins to take the documents of the next file.
    fn taking<'a>(&'a mut self, holds_marks: bool, problems: &'a mut Problems) -> Taking<'a> {
        let (file, documents) = (self.files.len(), &mut self.documents);
        Taking { file, holds_marks, documents, problems }
    }

    /// All documents of the file have been taken.
    fn end_file(&mut self, name: String, format: &'static str, notes: Vec<ImportNote>) {
        let place = self.files.len();
        let begin = self.documents.partition_point(|document| document.file < place);
        let documents = self.documents.get_mut(begin..).unwrap_or_default();
        self.notes.extend(settle_nameless(&name, documents));
        self.notes.extend(notes.iter().take(NOTES).map(ToString::to_string));
        let spans = documents.iter().flat_map(|document| &document.work).map(|(_, it)| it.len());
        let (documents, spans) = (number(documents.len()), number(spans.sum()));
        self.files.push(ReadFile { name, format, documents, spans });
    }
}

/// Takes the documents of a file.
struct Taking<'a> {
    file: usize,
    holds_marks: bool,
    documents: &'a mut Vec<ReadDocument>,
    problems: &'a mut Problems,
}

impl Taking<'_> {
    fn take(
        &mut self,
        name: &str,
        outcome: Result<ImportedDocument, ImportError>,
    ) -> ControlFlow<()> {
        match outcome {
            _ if self.documents.len() == MAX_DOCUMENTS => {
                let why = format!("these are more than {MAX_DOCUMENTS} documents; compare a part");
                self.problems.add_of_file(name, why);
                return ControlFlow::Break(());
            }
            Ok(document) => {
                self.documents.push(read_document(self.file, document, self.holds_marks));
            }
            Err(error) => self.problems.add_error(&error),
        }
        if self.problems.are_many() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn read_document(file: usize, document: ImportedDocument, holds_marks: bool) -> ReadDocument {
    let ImportedDocument { id, name, text, spans, work, line } = document;
    let named = work.into_iter().map(|work| (Some(work.rater), work.spans));
    // A document without a mark has been judged, too, unless its format knows no marks.
    let nameless = holds_marks.then_some((None, spans));
    ReadDocument { file, line, id, name, text, work: named.chain(nameless).collect() }
}

/// In a file that names raters, absence of nameless marks is nobody's judgement. That there are
/// some is worth a note.
fn settle_nameless(file: &str, documents: &mut [ReadDocument]) -> Option<String> {
    let names_raters =
        documents.iter().any(|document| document.work.iter().any(|(rater, _)| rater.is_some()));
    if !names_raters {
        return None;
    }
    let mut nameless = 0;
    for document in documents {
        document.work.retain(|(rater, spans)| rater.is_some() || !spans.is_empty());
        nameless += usize::from(document.has_nameless_work());
    }
    (nameless > 0).then(|| {
        format!(
            "{file} names raters, but not whose the marks of {} are: these are taken for a rater \
             of their own",
            domain::count(nameless, "document")
        )
    })
}

pub(super) fn number(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}
