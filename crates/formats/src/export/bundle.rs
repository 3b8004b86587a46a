//! Documents as a zip of several files each.

use std::collections::{BTreeSet, HashMap};
use std::io::{self, Seek, Write};

use unicode_normalization::UnicodeNormalization;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::annotated::{AnnotatedDocument, AnnotatedSpan};
use super::brat::{write_brat_annotations, write_brat_config, write_brat_text};
use super::error::ExportError;
use super::loss::{Loss, LossReason, Losses};
use super::unlike::Unlike;
use super::webanno_tsv::write_webanno_tsv;

/// What files a zip of documents has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BundleFormat {
    /// brat: `<document>.txt` and `.ann` with the spans of nobody, the same in a folder for each
    /// rater, and `annotation.conf`.
    Brat,
    /// WebAnno TSV as INCEpTION lays out its projects: `annotation/<document>/<rater>.tsv`, and
    /// `curation/<document>/CURATION_USER.tsv` with the spans of nobody.
    WebAnnoTsv,
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
    labels: BTreeSet<String>,
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
            labels: BTreeSet::new(),
        }
    }

    /// Writes the files of a document and returns what they do not hold.
    pub fn write(&mut self, document: &AnnotatedDocument) -> Result<Vec<Loss>, ExportError> {
        let mut losses = Losses::new(&document.name);
        let name = file_name(&document.name, &mut self.documents);
        if name != document.name {
            losses.of_document(LossReason::NameRewritten(name.clone()));
        }
        let unnamed = AnnotatedDocument { work: Vec::new(), ..document.clone() };
        let mut found = self.write_files(&unnamed, None, &name)?;
        for work in &document.work {
            let rater = self.rater_name(&work.rater);
            if rater != work.rater {
                losses.add(Some(&work.rater), None, LossReason::RaterRewritten(rater.clone()));
            }
            let Some(of_rater) = document.of_rater(&work.rater) else { continue };
            let of_rater = self.write_files(&of_rater, Some(&rater), &name)?;
            // What is lost of the document itself is told once.
            found.extend(
                of_rater
                    .into_iter()
                    .filter(|loss| loss.span.is_some())
                    .map(|loss| Loss { rater: Some(work.rater.clone()), ..loss }),
            );
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
                let label = |span: &AnnotatedSpan| span.label.clone();
                self.labels.extend(document.spans.iter().map(label));
                write_brat_annotations(&mut self.zip, document)
            }
            BundleFormat::WebAnnoTsv => {
                self.start(&match rater {
                    Some(rater) => format!("annotation/{name}/{rater}.tsv"),
                    None => format!("curation/{name}/CURATION_USER.tsv"),
                })?;
                write_webanno_tsv(&mut self.zip, document)
            }
        }
    }

    /// Writes what is left, and gives back what was written to.
    pub fn finish(mut self) -> Result<W, ExportError> {
        if self.format == BundleFormat::Brat {
            self.start("annotation.conf")?;
            write_brat_config(&mut self.zip, self.labels.iter().map(String::as_str))?;
        }
        Ok(self.zip.finish().map_err(write_error)?)
    }

    fn start(&mut self, path: &str) -> Result<(), ExportError> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .unix_permissions(0o644);
        Ok(self.zip.start_file(path, options).map_err(write_error)?)
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

fn write_error(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(error) => error,
        other => io::Error::other(other),
    }
}

/// The longest name of a file, in characters, before what makes it unlike others.
const MAX_NAME: usize = 60;

/// A name that systems allow for a file or a folder, and that is not taken yet; names that differ
/// by case or normalisation only are the same for some.
fn file_name(name: &str, taken: &mut Unlike) -> String {
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
