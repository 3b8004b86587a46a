//! What can be wrong with the JSON and XML files of other tools.

use std::fmt;

use crate::import::limits::MAX_RECORD_BYTES;
use crate::problem::quoted::{Quoted, shorten};

/// What is wrong, and what was expected instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExchangeProblem {
    /// The end of a span, in UTF-16 units, goes past the end of its text.
    #[error(
        "the span ends at {end}, but the text has {length} UTF-16 units, which is what this \
         format counts"
    )]
    SpanPastEndUtf16 {
        /// The end as given.
        end: u64,
        /// The length of the text in UTF-16 units.
        length: usize,
    },
    /// A UTF-16 offset that parts the two units of one character.
    #[error(
        "the UTF-16 offset {0} lies within a character; \
         the file seems to count something else, such as Unicode code points"
    )]
    WithinCharacter(usize),
    /// One record of a JSON file is not valid JSON.
    #[error("this is not valid JSON ({reason}, at byte {column} of line {line})")]
    InvalidRecord {
        /// The line where reading stopped, counted from 1.
        line: usize,
        /// The byte of the line, counted from 1.
        column: usize,
        /// What the JSON reader said.
        reason: String,
    },
    /// One record of a file is longer than [`MAX_RECORD_BYTES`].
    #[error("the record is longer than {} MiB; split it into several",
        MAX_RECORD_BYTES / (1024 * 1024))]
    RecordTooLong,
    /// One record of a JSON file has more values than fit in memory.
    #[error("the record has more than {0} values; split it into several")]
    TooManyValues(usize),
    /// A file that cannot be the format it is read as.
    #[error("this is not {format}: expected {expected}")]
    OtherFormat {
        /// The format.
        format: &'static str,
        /// What marks it.
        expected: &'static str,
    },
    /// A task over something else than plain text.
    #[error(
        "the region is of the type {}, whose offsets do not count characters of a plain text; \
         only tasks with a Text tag can be read",
        Quoted(.0)
    )]
    NotPlainText(String),
    /// A task over a picture, a recording, a page or a file of another kind.
    #[error("{} holds the address or the content of a file, not a text; only texts can be read", Quoted(.0))]
    Media(String),
    /// A record in which no field, or more than one, could be the text.
    #[error(
        "no text found: expected a field \"text\", one text only, or the text field to be named \
         (--text-field); found {}",
        Listed(.0)
    )]
    NoTextField(Vec<String>),
    /// A layer whose spans could be labelled by several features, or not by the one asked for.
    #[error(
        "it is not clear what labels the spans of the layer {}; choose {}, or --feature {} for the \
         layer's name; --layer reads other layers",
        Quoted(layer),
        Choices(layer, features),
        shorten(layer)
    )]
    LabelFeature {
        /// The layer, without its package.
        layer: Box<str>,
        /// The features with values.
        features: Vec<String>,
    },
    /// A field that names who marked the spans, or somebody else.
    #[error(
        "it is not clear whether {} marked the spans or wrote the text; call the field \"rater\" if it \
         names who marked them, else \"name\" or something else",
        Quoted(.0)
    )]
    Person(String),
    /// Several fields with spans.
    #[error("several fields hold spans ({}); choose with --layer, such as --layer {}",
        Listed(.0), .0.first().map(|name| shorten(name)).unwrap_or_default())]
    SeveralSpanFields(Vec<String>),
    /// Lists of regions that may be on one text or another.
    #[error(
        "nothing tells on which text the regions of {} are; choose a text with --text-field and its \
         regions with --layer",
        Listed(.0)
    )]
    RegionsOfTexts(Vec<String>),
    /// A layer, a column or a key that somebody asks for and the file does not have.
    #[error("there is no layer, column or key {}; found {}", shorten(asked), Listed(found))]
    NoLayer {
        /// What is asked for.
        asked: Box<str>,
        /// What there is.
        found: Vec<String>,
    },
    /// A decision of Prodigy on one suggestion.
    #[error(
        "this is a decision on one suggestion (such as of ner.teach), which says nothing of the rest of the \
         text; merge the decisions first with ner.silver-to-gold, and export what that saved"
    )]
    BinaryDecision,
    /// A file of a tool whose format is not read.
    #[error("this is a file of {tool}, which is not read; take {instead} instead")]
    OtherTool {
        /// The tool.
        tool: &'static str,
        /// What to export instead.
        instead: &'static str,
    },
    /// A token that the text does not have where it should.
    #[error("the token {} is not in the text after the token before it", Quoted(.0))]
    TokenNotInText(String),
    /// A position that counts characters in a token where units would differ.
    #[error(
        "the character {at} of the token {} is the same in no unit: the format does not say \
         whether it counts code points or UTF-16 units",
        Quoted(token)
    )]
    CharacterOfToken {
        /// The position as given.
        at: u64,
        /// The token.
        token: String,
    },
    /// A reference to something that is not there.
    #[error("there is no {what} {}", Quoted(reference))]
    DanglingReference {
        /// What is missing.
        what: &'static str,
        /// How the file names it.
        reference: String,
    },
    /// spaCy's binary documents.
    #[error(
        "this is spaCy's binary DocBin; write it as JSON first: in Python, srsly.write_json(\"docs.json\", \
         [doc.to_json() for doc in DocBin().from_disk(\"docs.spacy\").get_docs(nlp.vocab)])"
    )]
    DocBin,
    /// A file that is not well-formed XML.
    #[error("this is not well-formed XML ({0})")]
    InvalidXml(String),
    /// An XML file with a document type, which could make entities and read other files.
    #[error("the file has a DOCTYPE, which is not allowed; remove it")]
    Doctype,
    /// More of something than any real file has: of what, and the most that are read.
    #[error("there are more than {1} {0}; split the file")]
    TooMany(&'static str, usize),
}

/// The options that choose a feature of a layer.
struct Choices<'names>(&'names str, &'names [String]);

impl Choices<'_> {
    const SHOWN: usize = 4;
}

impl fmt::Display for Choices<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layer = shorten(self.0);
        let option = |feature: &String| format!("--feature {layer}.{}", shorten(feature));
        let shown: Vec<_> = self.1.iter().take(Self::SHOWN).map(option).collect();
        out.write_str(&shown.join(", "))?;
        match self.1.len().saturating_sub(Self::SHOWN) {
            0 => Ok(()),
            more => write!(out, " (or one of {more} more)"),
        }
    }
}

/// The fields that a message names: enough to see what there is.
struct Listed<'names>(&'names [String]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMED: usize = 12;
        if self.0.is_empty() {
            return out.write_str("none");
        }
        let named: Vec<String> = self.0.iter().take(NAMED).map(|name| shorten(name)).collect();
        out.write_str(&named.join(", "))?;
        match self.0.len().saturating_sub(NAMED) {
            0 => Ok(()),
            more => write!(out, " and {more} more"),
        }
    }
}
