//! Reading files into documents, one at a time, with errors that name file, line and field.

pub(crate) mod answer;
mod detect;
pub(crate) mod document;
pub(crate) mod findings;
pub(crate) mod format;

pub(crate) mod limits;
pub(crate) mod lines;
pub(crate) mod options;
pub(crate) mod plain_text;
pub(crate) mod spans;
pub(crate) mod works;

use std::io::BufRead;
use std::iter::FusedIterator;

use self::detect::others::other_tool;
use self::document::ImportedDocument;
use self::findings::note::ImportNote;
use self::format::ImportFormat;
use self::options::ReadOptions;
use self::plain_text::PlainText;
use crate::cas::file::CasFile;
use crate::columns::conll::read::Conll;
use crate::columns::conllu::read::Conllu;
use crate::columns::webanno::read::WebAnnoTsv;
use crate::json::lines::read as json_lines;
use crate::json::reading::JsonFile;
use crate::json::{datasaur, doccano, hugging_face, label_studio, prodigy, spacy};
use crate::problem::ImportError;
use crate::problem::brat::BratProblem;
use crate::problem::exchange::ExchangeProblem;
use crate::table::ratings::Ratings;
use crate::table::read::SpanTable;

/// Reads the documents of one file that is in memory, as files are read unless somebody says
/// otherwise; see [`read_from`].
///
/// ```
/// use formats::{ImportFormat, read};
///
/// let bytes = br#"{"id": 7, "text": "EU rejects", "spans": [{"start": 0, "end": 2, "label": "ORG"}]}"#;
/// let document = read(ImportFormat::JsonLines, "news.jsonl", bytes).next().unwrap()?;
/// assert_eq!((document.name.as_str(), document.spans[0].end), ("7", 2));
/// # Ok::<(), formats::ImportError>(())
/// ```
pub fn read<'bytes>(
    format: ImportFormat,
    file_name: &str,
    bytes: &'bytes [u8],
) -> Documents<&'bytes [u8]> {
    read_from(format, file_name, bytes, &ReadOptions::default())
}

/// Reads the documents of one file, a line at a time.
///
/// What is harmless is repaired and noted ([`Documents::notes`]). A problem does not end the iteration where the rest can still be understood, so that a preview
/// can list many problems at once. A document with a problem is never yielded. How many problems
/// to look at is up to the caller: stop calling `next`. Memory stays within a small multiple of
/// [`crate::MAX_LINE_BYTES`],
/// [`crate::MAX_RECORD_BYTES`] and [`crate::MAX_DOCUMENT_BYTES`], however long the file or its lines are.
///
/// Not checked here, because it takes more than one document to tell: ids that occur twice
/// ([`crate::IdRegistry`]; in a table of answers, where a row is an item, it is) and labels that a project does not have ([`crate::check_labels`]).
pub fn read_from<R: BufRead>(
    format: ImportFormat,
    file_name: &str,
    mut reader: R,
    options: &ReadOptions,
) -> Documents<R> {
    // What zlib packs begins so, and no JSON does.
    if format == ImportFormat::Spacy && reader.fill_buf().is_ok_and(|head| head.starts_with(b"x")) {
        let refused = ImportError::of_file(file_name, ExchangeProblem::DocBin);
        return Documents(Reader::Refused(Some(refused)));
    }
    if options.format.is_none()
        && format == ImportFormat::JsonLines
        && let Some(problem) = other_tool(file_name, reader.fill_buf().unwrap_or_default())
    {
        return Documents(Reader::Refused(Some(ImportError::of_file(file_name, problem))));
    }
    let json = |shape, reader| Reader::Json(JsonFile::new(shape, file_name, reader, options));
    Documents(match format {
        ImportFormat::PlainText => Reader::PlainText(PlainText::new(file_name, reader)),
        ImportFormat::JsonLines => json(json_lines::SHAPE, reader),
        ImportFormat::Conll => Reader::Conll(Box::new(Conll::new(file_name, reader, options))),
        ImportFormat::Doccano => json(doccano::read::SHAPE, reader),
        ImportFormat::LabelStudio => json(label_studio::read::SHAPE, reader),
        ImportFormat::LabelStudioMin => json(label_studio::min::SHAPE, reader),
        ImportFormat::Prodigy => json(prodigy::read::SHAPE, reader),
        ImportFormat::Spacy => json(spacy::read::SHAPE, reader),
        ImportFormat::HuggingFace => json(hugging_face::read::SHAPE, reader),
        ImportFormat::Datasaur => json(datasaur::read::SHAPE, reader),
        ImportFormat::CasXmi => Reader::Cas(CasFile::xmi(file_name, reader, options)),
        ImportFormat::CasJson => Reader::Cas(CasFile::json(file_name, reader, options)),
        ImportFormat::Conllu => Reader::Conllu(Box::new(Conllu::new(file_name, reader, options))),
        ImportFormat::SpanCsv => {
            Reader::SpanTable(Box::new(SpanTable::of_values(file_name, reader)))
        }
        ImportFormat::SpanTsv => Reader::SpanTable(Box::new(SpanTable::of_tabs(file_name, reader))),
        ImportFormat::RatingsCsv => Reader::Ratings(Box::new(Ratings::new(file_name, reader))),
        ImportFormat::Brat => {
            Reader::Refused(Some(ImportError::of_file(file_name, BratProblem::NoText)))
        }
        ImportFormat::WebAnnoTsv => Reader::WebAnnoTsv(WebAnnoTsv::new(file_name, reader, options)),
    })
}

/// The documents and problems of one file in their order; what [`read`] and [`read_from`] return.
#[derive(Debug)]
pub struct Documents<R>(Reader<R>);

#[derive(Debug)]
enum Reader<R> {
    PlainText(PlainText<R>),
    Conll(Box<Conll<R>>),
    Json(JsonFile<R>),
    Cas(CasFile<R>),
    Conllu(Box<Conllu<R>>),
    SpanTable(Box<SpanTable<R>>),
    Ratings(Box<Ratings<R>>),
    WebAnnoTsv(WebAnnoTsv<R>),
    /// A format that one file cannot hold.
    Refused(Option<ImportError>),
}

impl<R: BufRead> Documents<R> {
    /// What was detected or passed over in what was read so far: complete once the iteration has
    /// ended.
    pub fn notes(&self) -> Vec<ImportNote> {
        match &self.0 {
            Reader::PlainText(document) => document.notes(),
            Reader::Refused(_) => Vec::new(),
            Reader::Conll(documents) => documents.notes(),
            Reader::Json(documents) => documents.notes(),
            Reader::Cas(documents) => documents.notes(),
            Reader::Conllu(documents) => documents.notes(),
            Reader::SpanTable(documents) => documents.notes(),
            Reader::Ratings(documents) => documents.notes(),
            Reader::WebAnnoTsv(documents) => documents.notes(),
        }
    }
}

impl<R: BufRead> Iterator for Documents<R> {
    type Item = Result<ImportedDocument, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            Reader::PlainText(documents) => documents.next(),
            Reader::Conll(documents) => documents.next(),
            Reader::Json(documents) => documents.next(),
            Reader::Cas(documents) => documents.next(),
            Reader::Conllu(documents) => documents.next(),
            Reader::SpanTable(documents) => documents.next(),
            Reader::Ratings(documents) => documents.next(),
            Reader::WebAnnoTsv(documents) => documents.next(),
            Reader::Refused(error) => error.take().map(Err),
        }
    }
}

impl<R: BufRead> FusedIterator for Documents<R> {}
