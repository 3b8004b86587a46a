//! From files to documents with marks of raters who have no names yet.

use formats::{ImportFormat, ImportedDocument, ImportedSpan};

use super::problems::Problems;
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
pub(super) fn read(files: Vec<UploadedFile>, problems: &mut Problems) -> Reading {
    let mut reading = Reading::default();
    for UploadedFile { name, bytes } in files {
        if problems.are_many() {
            break;
        }
        reading.read_file(name, &bytes, problems);
    }
    reading
}

impl Reading {
    fn read_file(&mut self, name: String, bytes: &[u8], problems: &mut Problems) {
        let Some(format) = ImportFormat::from_file_name(&name) else {
            // A folder has files beside; whoever names a file wants it.
            if name.contains(['/', '\\']) {
                self.left_out.push(name);
            } else {
                problems.add_of_file(&name, UNKNOWN_FORMAT);
            }
            return;
        };
        let holds_marks = holds_marks(format);
        let (place, begin) = (self.files.len(), self.documents.len());
        for document in formats::read(format, &name, bytes) {
            if problems.are_many() {
                break;
            }
            if self.documents.len() == MAX_DOCUMENTS {
                let why = format!("these are more than {MAX_DOCUMENTS} documents; compare a part");
                problems.add_of_file(&name, why);
                break;
            }
            match document {
                Ok(document) => self.documents.push(read_document(place, document, holds_marks)),
                Err(error) => problems.add_error(&error),
            }
        }
        let documents = self.documents.get_mut(begin..).unwrap_or_default();
        self.notes.extend(settle_nameless(&name, documents));
        let spans = documents.iter().flat_map(|document| &document.work).map(|(_, it)| it.len());
        self.files.push(ReadFile {
            format: format.name(),
            documents: number(documents.len()),
            spans: number(spans.sum()),
            name,
        });
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
