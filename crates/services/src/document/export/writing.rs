//! Writes what is exported, in any format. Everything here may block.

use std::{
    fs::File,
    io::{self, BufWriter, Seek, SeekFrom, Write},
};

use domain::{ExportFormat, ExportQuery, LossCount, LossForm, saturating};
use formats::{
    AnnotatedDocument, BundleFormat, BundleWriter, ExportError, FileFormat, FileWriter, LOSSES,
    Loss, RaterFolders, write_gold_json_line,
};

use super::{
    file::ExportFile,
    losses::LossLog,
    reading::{Content, Piece},
};
use crate::{Error, Result};

/// What is kept of what is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// The file, and the list of what it does not hold.
    File,
    /// That list alone.
    Losses,
    /// Counts alone.
    Nothing,
}

/// An export while it is written.
pub(super) struct Writing {
    target: Target,
    query: ExportQuery,
    log: LossLog,
    documents: u64,
    spans: u64,
}

/// What is written to.
enum Target {
    File(FileWriter<Out>, FileFormat),
    Bundle(Box<BundleWriter<Out>>),
    Folders(RaterFolders<Out>),
}

/// How a format is written.
pub(super) enum Kind {
    File(FileFormat),
    Bundle(BundleFormat),
}

pub(super) const fn kind(format: ExportFormat) -> Kind {
    match format {
        ExportFormat::JsonLines => Kind::File(FileFormat::JsonLines),
        ExportFormat::SpanCsv => Kind::File(FileFormat::SpanCsv),
        ExportFormat::SpanTsv => Kind::File(FileFormat::SpanTsv),
        ExportFormat::Conll => Kind::File(FileFormat::Conll),
        ExportFormat::Conllu => Kind::File(FileFormat::Conllu),
        ExportFormat::Doccano => Kind::File(FileFormat::Doccano),
        ExportFormat::LabelStudio => Kind::File(FileFormat::LabelStudio),
        ExportFormat::Prodigy => Kind::File(FileFormat::Prodigy),
        ExportFormat::Spacy => Kind::File(FileFormat::Spacy),
        ExportFormat::WebAnnoTsv => Kind::Bundle(BundleFormat::WebAnnoTsv),
        ExportFormat::Brat => Kind::Bundle(BundleFormat::Brat),
        ExportFormat::Datasaur => Kind::Bundle(BundleFormat::Datasaur),
        ExportFormat::CasXmi => Kind::Bundle(BundleFormat::CasXmi),
        ExportFormat::CasJson => Kind::Bundle(BundleFormat::CasJson),
    }
}

impl Writing {
    pub(super) fn new(query: ExportQuery, keep: Keep) -> Result<Self> {
        let out = match keep {
            Keep::File => Out::File(BufWriter::new(tempfile::tempfile().map_err(Error::broken)?)),
            Keep::Losses | Keep::Nothing => Out::Nowhere { at: 0, end: 0 },
        };
        let target = match kind(query.format) {
            Kind::File(format) if query.format.is_zip(query.what) => {
                Target::Folders(RaterFolders::new(out, format))
            }
            Kind::File(format) => {
                Target::File(FileWriter::new(out, format).map_err(Error::broken)?, format)
            }
            Kind::Bundle(format) => Target::Bundle(Box::new(BundleWriter::new(out, format))),
        };
        let log = LossLog::new(keep != Keep::Nothing)?;
        Ok(Self { target, query, log, documents: 0, spans: 0 })
    }

    /// Begins the folder of a rater, where each has one.
    pub(super) fn begin_rater(self, rater: &str) -> Result<Self> {
        let Self { target, query, mut log, documents, spans } = self;
        let target = match target {
            Target::Folders(folders) => {
                let (folders, losses) = folders.begin(rater).map_err(Error::broken)?;
                log.note(&losses)?;
                Target::Folders(folders)
            }
            other => other,
        };
        Ok(Self { target, query, log, documents, spans })
    }

    pub(super) fn write(mut self, pieces: Vec<Piece>) -> Result<Self> {
        for Piece { content, losses } in pieces {
            self.log.note(&losses)?;
            let (spans, losses) = match &content {
                Content::Annotated(document) => {
                    let named = document.work.iter().map(|work| work.spans.len());
                    let spans = document.spans.len() + named.sum::<usize>();
                    (spans, self.target.write(document).map_err(Error::broken)?)
                }
                Content::Gold(document) => {
                    if let Target::File(file, _) = &mut self.target {
                        file.write_with(|out| write_gold_json_line(out, document))
                            .map_err(Error::broken)?;
                    }
                    (document.spans.len(), Vec::new())
                }
            };
            self.log.note(&losses)?;
            self.documents += 1;
            self.spans += saturating::<u64>(spans);
        }
        Ok(self)
    }

    pub(super) const fn documents(&self) -> u64 {
        self.documents
    }

    pub(super) const fn spans(&self) -> u64 {
        self.spans
    }

    pub(super) fn into_counts(self) -> Vec<LossCount> {
        self.log.into_counts()
    }

    /// The file, with the list of what it does not hold in it if it is a zip.
    pub(super) fn into_file(self, name: &str) -> Result<ExportFile> {
        let Self { target, mut log, documents, spans, .. } = self;
        let (left_out, changed) = log.totals();
        let (extension, content_type) = target.type_of();
        let mut lists = Vec::new();
        if !matches!(target, Target::File(..)) && left_out + changed > 0 {
            for (name, form) in LOSSES.into_iter().zip([LossForm::Json, LossForm::Csv]) {
                let mut list = tempfile::tempfile().map_err(Error::broken)?;
                let mut out = BufWriter::new(&mut list);
                log.write_list(form, &mut out)?;
                out.flush().map_err(Error::broken)?;
                drop(out);
                list.rewind().map_err(Error::broken)?;
                lists.push((name, list));
            }
        }
        let out = target.finish(lists).map_err(Error::broken)?;
        let Out::File(file) = out else { return Err(Error::broken("nothing was kept")) };
        let (content, length) = begun(file).map_err(Error::broken)?;
        let file_name = format!("{name}.{extension}");
        Ok(ExportFile {
            file_name,
            content_type,
            content,
            length,
            documents,
            spans,
            left_out,
            changed,
            log,
        })
    }

    /// The list of what the file would not hold.
    pub(super) fn into_losses(self, name: &str, form: LossForm) -> Result<ExportFile> {
        let Self { mut log, documents, spans, .. } = self;
        let (left_out, changed) = log.totals();
        let mut out = BufWriter::new(tempfile::tempfile().map_err(Error::broken)?);
        log.write_list(form, &mut out)?;
        let (content, length) = begun(out).map_err(Error::broken)?;
        let content_type = match form {
            LossForm::Json => "application/json",
            LossForm::Csv => "text/csv; charset=utf-8",
        };
        let file_name = format!("{name}.{form}");
        Ok(ExportFile {
            file_name,
            content_type,
            content,
            length,
            documents,
            spans,
            left_out,
            changed,
            log,
        })
    }
}

/// A file at its beginning, and how long it is.
fn begun(file: BufWriter<File>) -> io::Result<(File, u64)> {
    let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    let length = file.seek(SeekFrom::End(0))?;
    file.rewind()?;
    Ok((file, length))
}

impl Target {
    fn write(&mut self, document: &AnnotatedDocument) -> Result<Vec<Loss>, ExportError> {
        match self {
            Self::File(file, _) => file.write(document),
            Self::Bundle(bundle) => bundle.write(document),
            Self::Folders(folders) => folders.write(document),
        }
    }

    /// How the file's name ends, and what it is called on the web.
    const fn type_of(&self) -> (&'static str, &'static str) {
        match self {
            Self::File(_, format) => (format.extension(), format.content_type()),
            Self::Bundle(_) | Self::Folders(_) => ("zip", "application/zip"),
        }
    }

    /// Writes what is left, and these files into a zip.
    fn finish(self, files: Vec<(&str, File)>) -> Result<Out, ExportError> {
        match self {
            Self::File(file, _) => file.finish(),
            Self::Bundle(mut bundle) => {
                for (name, mut content) in files {
                    bundle.attach(name, &mut content)?;
                }
                bundle.finish()
            }
            Self::Folders(mut folders) => {
                for (name, mut content) in files {
                    folders = folders.attach(name, &mut content)?;
                }
                folders.finish()
            }
        }
    }
}

/// Where bytes go: into a file, or nowhere, where only what cannot be held is of interest.
#[derive(Debug)]
enum Out {
    File(BufWriter<File>),
    Nowhere { at: u64, end: u64 },
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Nowhere { at, end } => {
                *at += saturating::<u64>(bytes.len());
                *end = (*end).max(*at);
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Nowhere { .. } => Ok(()),
        }
    }
}

impl Seek for Out {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File(file) => file.seek(to),
            Self::Nowhere { at, end } => {
                let place = match to {
                    SeekFrom::Start(place) => Some(place),
                    SeekFrom::Current(by) => at.checked_add_signed(by),
                    SeekFrom::End(by) => end.checked_add_signed(by),
                };
                *at = place.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
                Ok(*at)
            }
        }
    }
}
