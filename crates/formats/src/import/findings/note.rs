//! What is worth knowing of an imported file though it was read: what was detected, what the file
//! has beyond texts and spans, and what was repaired.

use std::collections::HashMap;
use std::fmt;

use crate::columns::scheme::TagScheme;
use crate::import::answer::Answer;
use crate::import::findings::repair::Repair;
use crate::problem::quoted::shorten;
use crate::problem::{ImportError, Problem};

/// A remark, how often it holds, and where it does first: `doc.ann, line 3: …`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportNote {
    /// The file's name as it was given; of several files the first.
    pub file: String,
    /// The line, counted from 1, that the remark is about first.
    pub line: Option<usize>,
    /// How often it holds.
    pub count: usize,
    /// Of how many files.
    pub files: usize,
    /// The remark.
    pub note: Note,
}

impl ImportNote {
    /// A remark on one file.
    pub fn new(file: &str, line: Option<usize>, count: usize, note: Note) -> Self {
        Self { file: file.to_owned(), line, count, files: 1, note }
    }

    /// What was repaired, as a reason to refuse the file: who reads strictly wants it mended first.
    pub fn refusal(&self) -> Option<ImportError> {
        let Note::Repaired(repair) = &self.note else { return None };
        let problem = Problem::Repairable { repair: *repair, count: self.count };
        Some(ImportError { file: self.file.clone(), line: self.line, field: None, problem })
    }
}

impl fmt::Display for ImportNote {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(out, ", line {line}")?;
        }
        match self.files {
            0 | 1 => {}
            2 => write!(out, ", and 1 more file")?,
            files => write!(out, ", and {} more files", files - 1)?,
        }
        write!(out, ": {}", self.note)?;
        match (&self.note, self.count) {
            (
                Note::TagScheme(_)
                | Note::Unlabelled(_)
                | Note::SpanColumn(_)
                | Note::LooksLikeColumns,
                _,
            )
            | (Note::PassedOver(_), 1) => Ok(()),
            (Note::PassedOver(_), count) => write!(out, ", {count} times"),
            (_, count) => write!(out, ": {count}"),
        }
    }
}

/// What was detected in a file, passed over or repaired: one for each kind.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Note {
    /// The scheme of a file's tags, as told by the line of the first span.
    TagScheme(TagScheme),
    /// Spans whose tags have no label, and what they are called.
    Unlabelled(&'static str),
    /// The column, or the key within a column, that spans are read from.
    SpanColumn(String),
    /// The layer and the feature that labels are read from, and how many spans it has.
    Layer {
        /// The layer as the file names it.
        layer: String,
        /// The feature whose values are the labels; none where the layer's name is the label.
        feature: Option<String>,
    },
    /// Something that is no labelled span and was passed over, in words.
    PassedOver(String),
    /// Spans that say the same as another one and were read once.
    Repeated,
    /// Spans that end after characters of two UTF-16 units, in a format that does not say what it
    /// counts: their offsets were read as UTF-16 units.
    Utf16Offsets,
    /// Spans of the same kind, which were read as code points since only so they are of whole words.
    CodePointOffsets,
    /// Spans of several parts that were read as one, from the start of the first part to the end
    /// of the last.
    Joined,
    /// Spans without a quote, so that nothing tells whether their offsets fit the text.
    Unverified,
    /// Annotations that are something else than plainly done.
    Answer {
        /// What the tool says of them.
        answer: Answer,
        /// Whether they count as judgements.
        counted: bool,
    },
    /// A text that may be a table of tokens, and was read as it stands.
    LooksLikeColumns,
    /// What the format does not allow, and reading strictly refuses.
    Repaired(Repair),
}

impl fmt::Display for Note {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TagScheme(scheme) => write!(out, "the tags are {scheme}"),
            Self::Unlabelled(name) => write!(out, "tags without a label, read as spans called {name}"),
            Self::SpanColumn(name) => write!(out, "spans are read from {}", shorten(name)),
            Self::Layer { layer, feature: Some(feature) } => write!(
                out,
                "spans of the layer {}, labelled by its feature {}",
                shorten(layer),
                shorten(feature)
            ),
            Self::Layer { layer, feature: None } => {
                write!(out, "spans of the layer {}, labelled by its name", shorten(layer))
            }
            Self::PassedOver(what) => write!(out, "ignored: {what}"),
            Self::Repeated => out.write_str("duplicate spans, read once"),
            Self::Utf16Offsets => {
                out.write_str("spans with offsets read as UTF-16 units, not code points")
            }
            Self::CodePointOffsets => out.write_str(
                "spans with offsets read as code points, in which they are of whole words, not UTF-16 units",
            ),
            Self::Joined => out.write_str("discontinuous spans, read as one"),
            Self::Unverified => {
                out.write_str("spans without a quote, offsets not checked against the text")
            }
            Self::Answer { answer, counted: true } => write!(out, "{answer} annotations, counted"),
            Self::Answer { answer, counted: false } => {
                write!(out, "{answer} annotations, not counted")
            }
            Self::LooksLikeColumns => out.write_str(
                "read as plain text, though some lines look like tokens with tags; \
                 if it is CoNLL, say so",
            ),
            Self::Repaired(repair) => repair.fmt(out),
        }
    }
}

/// Notes in the order in which they came, those of the same kind as one: counted, at the first
/// place.
#[derive(Debug, Clone, Default)]
pub struct Notes {
    found: Vec<ImportNote>,
    places: HashMap<Note, usize>,
}

/// The most kinds of notes: kinds of values come from the files.
const MAX_NOTES: usize = 500;

impl Notes {
    /// Adds what is to be known of one file or of one part of it.
    pub fn add(&mut self, note: ImportNote) {
        if let Some(known) = self.places.get(&note.note).and_then(|at| self.found.get_mut(*at)) {
            known.count += note.count;
            known.files += if known.file == note.file { note.files - 1 } else { note.files };
        } else if self.found.len() < MAX_NOTES {
            self.places.insert(note.note.clone(), self.found.len());
            self.found.push(note);
        }
    }

    /// One for each kind.
    pub fn as_slice(&self) -> &[ImportNote] {
        &self.found
    }

    /// One for each kind.
    pub fn into_vec(self) -> Vec<ImportNote> {
        self.found
    }
}

impl Extend<ImportNote> for Notes {
    fn extend<T: IntoIterator<Item = ImportNote>>(&mut self, notes: T) {
        for note in notes {
            self.add(note);
        }
    }
}
