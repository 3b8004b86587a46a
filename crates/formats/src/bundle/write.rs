//! Documents as a zip of several files each.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read, Seek, Write};

use unicode_normalization::UnicodeNormalization;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::brat::write::{BratConfig, write_brat_annotations, write_brat_text};
use crate::bundle::layout::RATERS;
use crate::cas::features::AnswerFeatures;
use crate::cas::write_json::write_cas_json;
use crate::cas::write_xmi::{write_cas_xmi, write_type_system};
use crate::columns::webanno::write::write_webanno_tsv;
use crate::export::annotated::AnnotatedDocument;
use crate::export::error::ExportError;
use crate::export::json_line::write_json_line;
use crate::export::loss::{Loss, LossReason, Losses};
use crate::export::unique_names::Unlike;
use crate::json::datasaur::write::write_datasaur;

/// What files a zip of documents has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BundleFormat {
    /// brat: `<document>.txt` and `.ann` in a folder for each rater, beside these with the spans of
    /// nobody, and `annotation.conf`.
    Brat,
    /// WebAnno TSV as INCEpTION lays out its projects: `annotation/<document>/<rater>.tsv`, and
    /// `curation/<document>/CURATION_USER.tsv` with the spans of nobody.
    WebAnnoTsv,
    /// UIMA CAS as XMI, laid out in the same way, and `TypeSystem.xml`.
    CasXmi,
    /// UIMA CAS as JSON, laid out in the same way.
    CasJson,
    /// Datasaur's schema as its projects are exported: `DOCUMENT-<rater>/<document>.json`, and
    /// `REVIEW/<document>.json` with the spans of nobody.
    Datasaur,
}

impl BundleFormat {
    /// Whether readers believe what a file says its document is called, more than its path.
    const fn holds_names(self) -> bool {
        matches!(self, Self::Datasaur)
    }
}

/// Writes documents into a zip, one after the other.
///
/// Reading it with [`crate::Bundle`] gives the documents again, but for the losses. Names of
/// documents and raters become names of files, without what systems do not allow in these, and
/// each of its own; which changes is told.
#[derive(Debug)]
pub struct BundleWriter<W: Write + Seek> {
    zip: ZipWriter<W>,
    format: BundleFormat,
    documents: Unlike,
    raters: HashMap<String, String>,
    rater_names: Unlike,
    /// What brat is told of labels and attributes.
    config: BratConfig,
    /// The features of spans that hold answers.
    features: AnswerFeatures,
}

impl<W: Write + Seek> BundleWriter<W> {
    /// Starts a zip.
    pub fn new(out: W, format: BundleFormat) -> Self {
        Self {
            zip: ZipWriter::new(out),
            format,
            documents: Unlike::default(),
            raters: HashMap::new(),
            rater_names: Unlike::default(),
            config: BratConfig::default(),
            features: AnswerFeatures::default(),
        }
    }

    /// Writes the files of a document and returns what they do not hold.
    pub fn write(&mut self, document: &AnnotatedDocument) -> Result<Vec<Loss>, ExportError> {
        let mut losses = Losses::new(&document.name);
        let name = file_name(&document.name, &mut self.documents);
        if name != document.name && !self.format.holds_names() {
            losses.of_document(LossReason::NameRewritten(name.clone()));
        }
        let unnamed = AnnotatedDocument { work: Vec::new(), ..document.clone() };
        // What is lost of the document itself is told once, whichever file is the first.
        let mut found = Vec::new();
        let mut is_told = false;
        // Not if all that was marked and answered is of named raters.
        let is_of_nobody = !unnamed.spans.is_empty() || !unnamed.answers.is_empty();
        if is_of_nobody || document.work.is_empty() {
            found = self.write_files(&unnamed, None, &name)?;
            is_told = true;
        }
        for work in &document.work {
            let rater = self.rater_name(&work.rater);
            if rater != work.rater {
                losses.add(Some(&work.rater), None, LossReason::RaterRewritten(rater.clone()));
            }
            let Some(of_rater) = document.of_rater(&work.rater) else { continue };
            for loss in self.write_files(&of_rater, Some(&rater), &name)? {
                if loss.span.is_some() || loss.reason.is_of_answers() {
                    found.push(Loss { rater: Some(work.rater.clone()), ..loss });
                } else if !is_told {
                    found.push(loss);
                }
            }
            is_told = true;
        }
        let mut all = losses.into_sorted();
        all.extend(found);
        Ok(all)
    }

    fn write_files(
        &mut self,
        document: &AnnotatedDocument,
        rater: Option<&str>,
        name: &str,
    ) -> Result<Vec<Loss>, ExportError> {
        match self.format {
            BundleFormat::Brat => {
                let folder = rater.map(|rater| format!("{rater}/")).unwrap_or_default();
                self.start(&format!("{folder}{name}.txt"))?;
                write_brat_text(&mut self.zip, document)?;
                self.start(&format!("{folder}{name}.ann"))?;
                write_brat_annotations(&mut self.zip, document, &mut self.config)
            }
            BundleFormat::WebAnnoTsv => {
                self.start(&inception_path(name, rater, "tsv"))?;
                write_webanno_tsv(&mut self.zip, document, &mut self.features)
            }
            BundleFormat::CasXmi => {
                // What XML cannot hold is no file: an empty one could not be read.
                let mut file = Vec::new();
                let losses = write_cas_xmi(&mut file, document, &mut self.features)?;
                if !file.is_empty() {
                    self.start(&inception_path(name, rater, "xmi"))?;
                    self.zip.write_all(&file)?;
                }
                Ok(losses)
            }
            BundleFormat::CasJson => {
                self.start(&inception_path(name, rater, "json"))?;
                write_cas_json(&mut self.zip, document, &mut self.features)
            }
            BundleFormat::Datasaur => {
                self.start(&match rater {
                    Some(rater) => format!("DOCUMENT-{rater}/{name}.json"),
                    None => format!("REVIEW/{name}.json"),
                })?;
                write_datasaur(&mut self.zip, document)
            }
        }
    }

    /// Writes another file, such as one of [`crate::LOSSES`], below all documents.
    pub fn attach(&mut self, path: &str, content: &mut impl Read) -> Result<(), ExportError> {
        self.start(path)?;
        io::copy(content, &mut self.zip)?;
        Ok(())
    }

    /// Writes what is left, and gives back what was written to.
    pub fn finish(mut self) -> Result<W, ExportError> {
        match self.format {
            BundleFormat::Brat => {
                self.start("annotation.conf")?;
                self.config.write(&mut self.zip)?;
                let folders = self.raters.iter().map(|(rater, folder)| (folder, rater));
                let mut folders: Vec<_> = folders.collect();
                folders.sort();
                write_raters(&mut self.zip, &folders)?;
            }
            BundleFormat::CasXmi => {
                self.start("TypeSystem.xml")?;
                write_type_system(&mut self.zip, &self.features)?;
            }
            BundleFormat::WebAnnoTsv | BundleFormat::CasJson | BundleFormat::Datasaur => {}
        }
        Ok(self.zip.finish().map_err(write_error)?)
    }

    fn start(&mut self, path: &str) -> Result<(), ExportError> {
        start_file(&mut self.zip, path)
    }

    fn rater_name(&mut self, rater: &str) -> String {
        if let Some(name) = self.raters.get(rater) {
            return name.clone();
        }
        let name = file_name(rater, &mut self.rater_names);
        self.raters.insert(rater.to_owned(), name.clone());
        name
    }
}

/// Where INCEpTION keeps the work of a rater, or of the curator, on a document.
fn inception_path(document: &str, rater: Option<&str>, extension: &str) -> String {
    match rater {
        Some(rater) => format!("annotation/{document}/{rater}.{extension}"),
        None => format!("curation/{document}/CURATION_USER.{extension}"),
    }
}

/// Writes whose each folder is, if there are any.
pub(super) fn write_raters<W: Write + Seek>(
    zip: &mut ZipWriter<W>,
    folders: &[(impl AsRef<str>, impl AsRef<str>)],
) -> Result<(), ExportError> {
    if folders.is_empty() {
        return Ok(());
    }
    start_file(zip, RATERS)?;
    let folders: BTreeMap<&str, &str> =
        folders.iter().map(|(folder, rater)| (folder.as_ref(), rater.as_ref())).collect();
    write_json_line(zip, &folders)?;
    Ok(())
}

/// Begins a file of a zip, which may have any length.
pub(super) fn start_file<W: Write + Seek>(
    zip: &mut ZipWriter<W>,
    path: &str,
) -> Result<(), ExportError> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .large_file(true)
        .unix_permissions(0o644);
    Ok(zip.start_file(path, options).map_err(write_error)?)
}

pub(super) fn write_error(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(error) => error,
        other => io::Error::other(other),
    }
}

/// The longest name of a file, in characters, before what makes it unlike others.
const MAX_NAME: usize = 60;

/// A name that systems allow for a file or a folder, and that is not taken yet; names that differ
/// by case or normalisation only are the same for some.
pub(super) fn file_name(name: &str, taken: &mut Unlike) -> String {
    let safe = |scalar: char| {
        let reserved = ['/', '\\', ':', '*', '?', '"', '<', '>', '|'].contains(&scalar);
        if reserved || scalar.is_control() { '_' } else { scalar }
    };
    let safe: String = name.chars().map(safe).take(MAX_NAME).collect();
    let safe = safe.trim().trim_end_matches('.').trim_end();
    let safe = match safe.strip_prefix('.') {
        Some(rest) => format!("_{rest}"),
        None if safe.is_empty() => "_".to_owned(),
        None => safe.to_owned(),
    };
    taken.name(&safe, |name| name.nfc().collect::<String>().to_lowercase())
}
