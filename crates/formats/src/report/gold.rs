//! The gold standard: documents with the spans that hold, and the same as JSON Lines.

use std::io::Write;

use serde::Serialize;

use crate::export::annotated::{AnnotatedAnswer, AnnotatedSpan};
use crate::export::error::ExportError;
use crate::export::json_line::write_json_line;

/// One document of a gold standard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GoldDocument {
    /// The id of the document, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<GoldId>,
    /// The name of the document.
    pub name: String,
    /// The text as it was imported.
    pub text: String,
    /// The spans that hold.
    pub spans: Vec<GoldSpan>,
    /// The answers that hold, about these spans and about the document.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<AnnotatedAnswer>,
}

/// The id of a document of a gold standard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum GoldId {
    /// As the file called it from which it was imported, and as all other exports do.
    Own(String),
    /// A number of the database, in gold standards that were locked with these.
    Number(i64),
}

/// One span of a gold standard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GoldSpan {
    /// Where the span starts, in Unicode scalar values.
    pub start: usize,
    /// Where the span ends, exclusive, in Unicode scalar values.
    pub end: usize,
    /// The label.
    pub label: String,
    /// Who made it gold: `reviewer` (a decision) or `unanimous` (all labelers agree).
    pub origin: String,
}

impl From<&GoldSpan> for AnnotatedSpan {
    fn from(span: &GoldSpan) -> Self {
        Self { start: span.start, end: span.end, label: span.label.clone() }
    }
}

/// Writes one document as a line of JSON, byte for byte what the data are.
///
/// ```json
/// {"id":"7","name":"a","text":"EU rejects","spans":[{"start":0,"end":2,"label":"ORG","origin":"reviewer"}]}
/// ```
///
/// An answer is `{"start":0,"end":2,"label":"ORG","question":"Sure","answer":"yes"}`, without a place where it is
/// about the document, with a list of several choices, or a number; without any there are no `answers`.
///
/// Reading the line with [`crate::ImportFormat::JsonLines`] gives the same name, text and spans
/// again, and leaves `origin` and `answers` out.
pub fn write_gold_json_line<W: Write>(
    out: &mut W,
    document: &GoldDocument,
) -> Result<(), ExportError> {
    Ok(write_json_line(out, document)?)
}
