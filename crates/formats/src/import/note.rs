//! What is worth knowing of an imported file though nothing is wrong with it: what was detected,
//! and what the file has beyond texts and spans.

use std::fmt;

use crate::columns::scheme::TagScheme;
use crate::problem::quoted::shorten;

/// A remark and its place: `doc.ann, line 3: …`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportNote {
    /// The file's name as it was given.
    pub file: String,
    /// The line, counted from 1, that the remark is about first.
    pub line: Option<usize>,
    /// The remark.
    pub note: Note,
}

impl fmt::Display for ImportNote {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(out, ", line {line}")?;
        }
        write!(out, ": {}", self.note)
    }
}

/// What was detected in a file, or passed over.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Note {
    /// The scheme of a file's tags, as told by the line of the first span.
    TagScheme(TagScheme),
    /// The column, or the key within a column, that spans are read from.
    SpanColumn(String),
    /// The layer and the feature that labels are read from.
    Layer {
        /// The layer as the file names it.
        layer: String,
        /// The feature whose values are the labels; none where the layer's name is the label.
        feature: Option<String>,
    },
    /// Something that is no labelled span and was passed over.
    PassedOver {
        /// What it is, in words.
        what: String,
        /// How often it occurs.
        count: usize,
    },
    /// Spans that say the same as another one and were read once.
    Repeated {
        /// How many were passed over.
        count: usize,
    },
    /// Spans that end after characters of two UTF-16 units, in a format that does not say what it
    /// counts: their offsets were read as UTF-16 units.
    Utf16Offsets {
        /// How many there are.
        count: usize,
    },
    /// Spans of several parts that were read as one, from the start of the first part to the end
    /// of the last.
    Joined {
        /// How many there are.
        count: usize,
    },
    /// Spans without a quote, so that nothing tells whether their offsets fit the text.
    Unverified {
        /// How many there are.
        count: usize,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TagScheme(scheme) => write!(out, "the tags are {scheme}"),
            Self::SpanColumn(name) => write!(out, "spans are read from {}", shorten(name)),
            Self::Layer { layer, feature: Some(feature) } => write!(
                out,
                "labels are read from the feature {} of the layer {}",
                shorten(feature),
                shorten(layer)
            ),
            Self::Layer { layer, feature: None } => {
                write!(out, "spans of the layer {} have its name as label", shorten(layer))
            }
            Self::PassedOver { what, count: 1 } => write!(out, "ignored: {what}"),
            Self::PassedOver { what, count } => {
                write!(out, "ignored: {what}, {count} times")
            }
            Self::Repeated { count } => {
                write!(out, "duplicate spans, read once: {count}")
            }
            Self::Utf16Offsets { count } => {
                write!(out, "spans with offsets read as UTF-16 units, not code points: {count}")
            }
            Self::Joined { count } => {
                write!(out, "discontinuous spans, read as one: {count}")
            }
            Self::Unverified { count } => {
                write!(out, "spans without a quote, offsets not checked against the text: {count}")
            }
        }
    }
}
