//! A zip with a folder for each rater, of formats that name nobody.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Seek, Write};

use zip::ZipWriter;

use crate::bundle::write::{file_name, start_file, write_error, write_raters};
use crate::export::annotated::AnnotatedDocument;
use crate::export::error::ExportError;
use crate::export::file::{FileFormat, FileWriter};
use crate::export::loss::{Loss, LossReason};
use crate::export::unique_names::Unlike;

/// Writes the documents of one rater after the other, each into `<rater>/documents.<extension>` of
/// a zip. [`crate::Bundle`] tells the raters by the folders, as [`crate::RATERS`] says.
#[derive(Debug)]
pub struct RaterFolders<W: Write + Seek> {
    format: FileFormat,
    names: Unlike,
    /// The folders and whose they are.
    raters: Vec<(String, String)>,
    texts: Texts,
    state: State<W>,
}

/// With the hash of each text, without white space, that of the first document that has it, and its
/// name.
#[derive(Debug, Default)]
struct Texts {
    hasher: RandomState,
    first: HashMap<u64, (u64, String)>,
}

impl Texts {
    /// What another document of the same text is called, if there is one.
    fn other(&mut self, document: &AnnotatedDocument) -> Option<&str> {
        let text: String = document.text.split_whitespace().collect();
        let it = self.hasher.hash_one((&document.id, &document.name, &document.text));
        let text = self.hasher.hash_one(text);
        let (first, name) = self.first.entry(text).or_insert_with(|| (it, document.name.clone()));
        (*first != it).then_some(name)
    }
}

/// What is written to: the zip, or a file of it.
#[derive(Debug)]
enum State<W: Write + Seek> {
    Between(Box<ZipWriter<W>>),
    Within(Box<FileWriter<ZipWriter<W>>>),
}

impl<W: Write + Seek> RaterFolders<W> {
    /// Starts a zip.
    pub fn new(out: W, format: FileFormat) -> Self {
        Self {
            format,
            names: Unlike::default(),
            raters: Vec::new(),
            texts: Texts::default(),
            state: State::Between(Box::new(ZipWriter::new(out))),
        }
    }

    /// Ends the folder of the rater before, and begins the next. Returns that the rater is called
    /// something else there, if so: systems do not allow all names.
    pub fn begin(self, rater: &str) -> Result<(Self, Vec<Loss>), ExportError> {
        let Self { format, mut names, mut raters, texts, state } = self;
        let mut zip = state.between()?;
        let folder = file_name(rater, &mut names);
        raters.push((folder.clone(), rater.to_owned()));
        start_file(&mut zip, &format!("{folder}/documents.{}", format.extension()))?;
        let state = State::Within(Box::new(FileWriter::new(zip, format)?));
        let losses = (folder != rater).then(|| Loss {
            document: String::new(),
            rater: Some(rater.to_owned()),
            span: None,
            reason: LossReason::RaterRewritten(folder),
        });
        Ok((Self { format, names, raters, texts, state }, losses.into_iter().collect()))
    }

    /// Writes a document with spans of nobody into the folder of the rater who was begun last.
    pub fn write(&mut self, document: &AnnotatedDocument) -> Result<Vec<Loss>, ExportError> {
        let State::Within(file) = &mut self.state else {
            return Err(io::Error::other("no rater was begun").into());
        };
        let mut losses = file.write(document)?;
        if !self.format.holds_names()
            && let Some(other) = self.texts.other(document)
        {
            losses.push(Loss {
                document: document.name.clone(),
                rater: None,
                span: None,
                reason: LossReason::SameText(other.to_owned()),
            });
        }
        Ok(losses)
    }

    /// Writes another file, such as one of [`crate::LOSSES`].
    pub fn attach(self, path: &str, content: &mut impl Read) -> Result<Self, ExportError> {
        let Self { state, .. } = self;
        let mut zip = state.between()?;
        start_file(&mut zip, path)?;
        io::copy(content, &mut zip)?;
        Ok(Self { state: State::Between(Box::new(zip)), ..self })
    }

    /// Ends the zip, and gives back what was written to.
    pub fn finish(self) -> Result<W, ExportError> {
        let mut zip = self.state.between()?;
        write_raters(&mut zip, &self.raters)?;
        Ok(zip.finish().map_err(write_error)?)
    }
}

impl<W: Write + Seek> State<W> {
    fn between(self) -> Result<ZipWriter<W>, ExportError> {
        match self {
            Self::Between(zip) => Ok(*zip),
            Self::Within(file) => file.finish(),
        }
    }
}
