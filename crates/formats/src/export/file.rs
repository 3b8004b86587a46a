//! Documents in one file, in any of the formats that hold many.

use std::io::{self, Write};

use crate::columns::conll::write::write_conll;
use crate::columns::conllu::write::write_conllu;
use crate::export::annotated::AnnotatedDocument;
use crate::export::error::ExportError;
use crate::export::loss::Loss;
use crate::json::doccano::write::write_doccano_line;
use crate::json::lines::write::write_document_json_line;
use crate::json::list::JsonList;
use crate::json::prodigy::write::write_prodigy_lines;
use crate::table::write::SpanTableWriter;

/// A format whose files hold many documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileFormat {
    /// Our JSON Lines.
    JsonLines,
    /// A table of spans with commas.
    SpanCsv,
    /// A table of spans with tabs.
    SpanTsv,
    /// CoNLL-2003.
    Conll,
    /// CoNLL-U.
    Conllu,
    /// doccano's JSON Lines.
    Doccano,
    /// Label Studio's JSON.
    LabelStudio,
    /// Prodigy's JSON Lines.
    Prodigy,
    /// spaCy's JSON.
    Spacy,
}

impl FileFormat {
    /// How names of such files end.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::JsonLines | Self::Doccano | Self::Prodigy => "jsonl",
            Self::SpanCsv => "csv",
            Self::SpanTsv => "tsv",
            Self::Conll => "conll",
            Self::Conllu => "conllu",
            Self::LabelStudio | Self::Spacy => "json",
        }
    }

    /// Whether such files have something to tell documents of one text apart.
    pub(crate) const fn holds_names(self) -> bool {
        !matches!(self, Self::Conll | Self::Spacy)
    }

    /// What such files are called on the web.
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::JsonLines | Self::Doccano | Self::Prodigy => "application/jsonl",
            Self::SpanCsv => "text/csv; charset=utf-8",
            Self::SpanTsv => "text/tab-separated-values; charset=utf-8",
            Self::Conll | Self::Conllu => "text/plain; charset=utf-8",
            Self::LabelStudio | Self::Spacy => "application/json",
        }
    }
}

/// Writes documents into a file, one after the other.
#[derive(Debug)]
pub struct FileWriter<W: Write>(Inner<W>);

/// Writes one document.
type WriteDocument<W> = fn(&mut W, &AnnotatedDocument) -> Result<Vec<Loss>, ExportError>;

/// What is written one after the other, in a list, or as rows of a table.
#[derive(Debug)]
enum Inner<W: Write> {
    Lines(W, WriteDocument<W>),
    LabelStudio(JsonList<W>),
    Spacy(JsonList<W>),
    Table(Box<SpanTableWriter<W>>),
}

impl<W: Write> FileWriter<W> {
    /// Starts a file.
    pub fn new(out: W, format: FileFormat) -> Result<Self, ExportError> {
        Ok(Self(match format {
            FileFormat::JsonLines => Inner::Lines(out, write_document_json_line),
            FileFormat::Conll => Inner::Lines(out, write_conll),
            FileFormat::Conllu => Inner::Lines(out, write_conllu),
            FileFormat::Doccano => Inner::Lines(out, write_doccano_line),
            FileFormat::Prodigy => Inner::Lines(out, write_prodigy_lines),
            FileFormat::LabelStudio => Inner::LabelStudio(JsonList::new(out)),
            FileFormat::Spacy => Inner::Spacy(JsonList::new(out)),
            FileFormat::SpanCsv => Inner::Table(Box::new(SpanTableWriter::csv(out)?)),
            FileFormat::SpanTsv => Inner::Table(Box::new(SpanTableWriter::tsv(out)?)),
        }))
    }

    /// Writes a document and returns what the file does not hold of it.
    pub fn write(&mut self, document: &AnnotatedDocument) -> Result<Vec<Loss>, ExportError> {
        match &mut self.0 {
            Inner::Lines(out, write) => write(out, document),
            Inner::LabelStudio(list) => list.write_label_studio(document),
            Inner::Spacy(list) => list.write_spacy(document),
            Inner::Table(table) => table.write(document),
        }
    }

    /// Writes something of the format's that is no [`AnnotatedDocument`], as [`crate::GoldDocument`]
    /// is not; only between lines, not into lists and tables.
    pub fn write_with(
        &mut self,
        write: impl FnOnce(&mut W) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        match &mut self.0 {
            Inner::Lines(out, _) => write(out),
            _ => Err(io::Error::other("this format has no lines").into()),
        }
    }

    /// Ends the file, and gives back what was written to.
    pub fn finish(self) -> Result<W, ExportError> {
        match self.0 {
            Inner::Lines(out, _) => Ok(out),
            Inner::LabelStudio(list) | Inner::Spacy(list) => list.finish(),
            Inner::Table(table) => table.finish(),
        }
    }
}
