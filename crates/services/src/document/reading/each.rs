//! From one file to its documents.

use std::{
    borrow::Cow,
    collections::HashSet,
    io::{self, BufRead, Read, Seek, SeekFrom},
    ops::ControlFlow,
};

use domain::{readable_name, saturating};
use formats::{
    Author, Bundle, BundleLimits, BundledDocument, ImportError, ImportFormat, ImportNote,
    ImportedAnswer, ImportedDocument, ImportedSpan, ImportedWork, Layout, NamedBytes, Origin,
    Problem, brat_texts, is_office_file, project_export, read_brat, read_from,
};

use super::{Reading, ReadingOptions, sources::Source};

/// As much of a file tells its format.
const BEGINNING: u64 = 64 * 1024;

/// The longest text and annotations that are read as two files, in bytes.
const MAX_PAIR_BYTES: u64 = 16 * 1024 * 1024;

/// A file that is read, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileToRead {
    /// Its place among all.
    pub(crate) file: usize,
    /// The place of the text that it annotates, if that is another file.
    pub(crate) text: Option<usize>,
    /// What a project's export says of it by its folders.
    origin: Option<Origin>,
}

/// A document of one file.
#[derive(Debug)]
pub(crate) struct ReadDocument {
    /// The file inside a zip that it is from.
    pub(crate) file: Option<String>,
    pub(crate) line: usize,
    pub(crate) id: Option<String>,
    pub(crate) name: String,
    /// What it is called by its path, where a project's export says whose that is.
    pub(crate) called: Option<String>,
    pub(crate) text: String,
    /// Whether the spans of `None` are what somebody judged, rather than what a model says.
    pub(crate) judged: bool,
    pub(crate) work: Vec<ReadWork>,
}

/// What a rater has marked in a document of one file, and answered about it.
#[derive(Debug)]
pub(crate) struct ReadWork {
    /// `None` is whom the file's name or folder stands for.
    pub(crate) rater: Option<String>,
    pub(crate) spans: Vec<ImportedSpan>,
    pub(crate) answers: Vec<ImportedAnswer>,
}

impl ReadWork {
    /// Whether it says nothing of spans, not even that there are none.
    pub(crate) fn has_only_answers(&self) -> bool {
        self.spans.is_empty() && !self.answers.is_empty()
    }
}

/// A file that was read to its end, or until somebody said to stop.
pub(crate) struct FileRead {
    pub(crate) format: &'static str,
    pub(crate) notes: Vec<ImportNote>,
}

/// What is read of these files, in their order, and what is known of all before that.
pub(crate) fn files_to_read(
    files: &[&dyn Source],
    options: &ReadingOptions,
) -> (Vec<FileToRead>, Reading) {
    let names: Vec<&str> = files.iter().map(|file| file.name()).collect();
    let known: Vec<_> =
        names.iter().map(|name| (*name, ImportFormat::from_file_name(name))).collect();
    let texts = brat_texts(&known);
    let are_texts: HashSet<usize> = texts.iter().flatten().copied().collect();
    // What cannot be read says nothing here, and is told as soon as it is read.
    let bytes = |at: usize| files.get(at).and_then(|file| all_of(*file).ok()).unwrap_or_default();
    let (mut parts, mut reading) = (Vec::new(), Reading::default());
    let mut export = None;
    if !options.is_chosen
        && let Some((origins, notes)) = project_export(&names, &options.files.read, bytes)
    {
        reading.found.extend(notes);
        export = Some(origins);
    }
    for (file, (text, name)) in texts.iter().zip(&names).enumerate() {
        let origin = match export.as_ref().and_then(|origins| origins.get(file)) {
            Some(None) => continue,
            Some(Some(origin)) => Some(origin.clone()),
            None => None,
        };
        if origin.as_ref().is_some_and(|it: &Origin| it.author == Author::PassedOver) {
            reading.left_out.push((*name).to_owned());
        } else if !are_texts.contains(&file) {
            parts.push(FileToRead { file, text: *text, origin });
        }
    }
    (parts, reading)
}

/// Whether files of the format can say what somebody has marked. In one that cannot, nobody has
/// judged anything.
pub(super) const fn holds_spans(format: ImportFormat) -> bool {
    !matches!(format, ImportFormat::PlainText | ImportFormat::RatingsCsv)
}

type Take<'a> = &'a mut dyn FnMut(Result<ReadDocument, ImportError>) -> ControlFlow<()>;

/// Reads a file, handing over each document and each problem; none if its format is not known.
pub(crate) fn read_part(
    part: &FileToRead,
    (file, text): (&dyn Source, Option<&dyn Source>),
    options: &ReadingOptions,
    take: Take<'_>,
) -> Option<FileRead> {
    match try_read(part, file, text, options, &mut *take) {
        Ok(read) => read,
        Err(error) => {
            let problem = Problem::Unreadable { reason: error.to_string() };
            let file = file.name().to_owned();
            let _ = take(Err(ImportError { file, line: None, field: None, problem }));
            Some(FileRead { format: "unknown", notes: Vec::new() })
        }
    }
}

fn try_read(
    part: &FileToRead,
    file: &dyn Source,
    text: Option<&dyn Source>,
    options: &ReadingOptions,
    take: Take<'_>,
) -> io::Result<Option<FileRead>> {
    if let Some(text) = text {
        return read_pair(part, text, file, options, take).map(Some);
    }
    let (name, mut content) = (file.name(), file.open()?);
    let mut beginning = Vec::new();
    content.by_ref().take(BEGINNING).read_to_end(&mut beginning)?;
    content.seek(SeekFrom::Start(0))?;
    // A spreadsheet beside the files is no export, though it is a zip.
    if is_office_file(&beginning) {
        return Ok(None);
    }
    if beginning.starts_with(b"PK\x03\x04") || beginning.starts_with(b"PK\x05\x06") {
        return Ok(Some(read_zip(part, name, content, options, take)));
    }
    let Some(format) = options.files.read.format_of(name, &beginning) else { return Ok(None) };
    let mut documents = read_from(format, name, content, &options.files.read);
    for outcome in documents.by_ref() {
        if take(outcome.map(|document| part.read_document(document))).is_break() {
            break;
        }
    }
    Ok(Some(FileRead { format: format.name(), notes: documents.notes() }))
}

/// Reads a text and its spans by brat.
fn read_pair(
    part: &FileToRead,
    text: &dyn Source,
    annotations: &dyn Source,
    options: &ReadingOptions,
    take: Take<'_>,
) -> io::Result<FileRead> {
    let (text_bytes, annotation_bytes) = (all_of(text)?, all_of(annotations)?);
    let read = read_brat(
        NamedBytes { name: text.name(), bytes: &text_bytes },
        NamedBytes { name: annotations.name(), bytes: &annotation_bytes },
        &options.files.read,
    );
    let mut notes = Vec::new();
    match read {
        Ok((document, found)) => {
            notes = found;
            let _ = take(Ok(part.read_document(document)));
        }
        Err(errors) => {
            for error in errors {
                if take(Err(error)).is_break() {
                    break;
                }
            }
        }
    }
    Ok(FileRead { format: ImportFormat::Brat.name(), notes })
}

fn all_of(source: &dyn Source) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.open()?.take(MAX_PAIR_BYTES + 1).read_to_end(&mut bytes)?;
    if saturating::<u64>(bytes.len()) > MAX_PAIR_BYTES {
        return Err(io::Error::other("it is longer than 16 MiB"));
    }
    Ok(bytes)
}

/// Reads what is in a zip; whose it is, its folders may say, or its files if somebody says so.
fn read_zip(
    part: &FileToRead,
    name: &str,
    content: impl BufRead + Seek,
    options: &ReadingOptions,
    take: Take<'_>,
) -> FileRead {
    let mut limits = BundleLimits::default();
    limits.total_bytes = options.most_unpacked.unwrap_or(limits.total_bytes);
    let mut notes = Vec::new();
    match Bundle::from_zip(name, content, &limits) {
        Ok(mut bundle) => {
            if options.is_chosen {
                bundle.set_layout(Layout::Plain);
            }
            notes = bundle.read(&options.files.read, |outcome| {
                take(outcome.map(|read| {
                    let BundledDocument { document, file, called } = read;
                    let document = match &part.origin {
                        // One person's work, packed with its types.
                        Some(_) => part.read_document(document),
                        None => ReadDocument { called, ..read_document(document) },
                    };
                    ReadDocument { file: Some(file), ..document }
                }))
            });
        }
        Err(error) => {
            let _ = take(Err(error));
        }
    }
    FileRead { format: "zip", notes }
}

impl FileToRead {
    /// The document, with its nameless marks given to whom the export's folders name.
    fn read_document(&self, document: ImportedDocument) -> ReadDocument {
        let mut document = read_document(document);
        if let Some(Origin { author, document: called, name }) = &self.origin {
            document.called = Some(called.clone());
            if *author == Author::Unjudged {
                document.work.clear();
            } else if let Author::Rater(author) = author {
                let names_raters = document.work.iter().any(|work| work.rater.is_some());
                for ReadWork { rater, spans, answers } in &mut document.work {
                    if !names_raters || !spans.is_empty() || !answers.is_empty() {
                        rater.get_or_insert_with(|| author.clone());
                    }
                }
            }
            if let Some(name) = name {
                document.name.clone_from(name);
            }
        }
        // A file is read whatever its documents are called.
        if let Cow::Owned(name) = readable_name(&document.name) {
            document.name = name;
        }
        document
    }
}

fn read_document(document: ImportedDocument) -> ReadDocument {
    let ImportedDocument { id, name, text, spans, answers, work, judged, line } = document;
    let named = work.into_iter().map(|work| {
        let ImportedWork { rater, spans, answers } = work;
        ReadWork { rater: Some(rater), spans, answers }
    });
    // A document without a span has been judged, too, unless the file says that it was not.
    let is_nameless = judged || !spans.is_empty() || !answers.is_empty();
    let nameless = is_nameless.then_some(ReadWork { rater: None, spans, answers });
    let work = named.chain(nameless).collect();
    ReadDocument { file: None, line, id, name, called: None, text, judged, work }
}
