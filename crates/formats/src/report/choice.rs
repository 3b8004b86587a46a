//! What raters chose of the attributes of their spans, as JSON Lines.

use std::io::Write;

use serde::Serialize;

use crate::export::error::ExportError;
use crate::export::json_line::write_json_line;

/// What one rater chose of one attribute on one span.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChoiceRow {
    /// The id of the document.
    pub document_id: i64,
    /// The name of the document.
    pub document: String,
    /// Where the span starts, in Unicode scalar values.
    pub start: u32,
    /// Where it ends, exclusive, in Unicode scalar values.
    pub end: u32,
    /// The text of the span.
    pub quote: String,
    /// The rater's name.
    pub rater: String,
    /// Whether they are a labeler or a reviewer.
    pub role: &'static str,
    /// The label of the span.
    pub label: String,
    /// The name of the attribute.
    pub attribute: String,
    /// The name of what was chosen.
    pub choice: String,
    /// When a reviewer decided so; left out for labelers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_at: Option<String>,
    /// Whether it is of the gold standard: of the latest decision there is. Left out for labelers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gold: Option<bool>,
}

/// Writes what was chosen as a line of JSON, byte for byte what the data are. The fields are those of
/// [`ChoiceRow`], in its order.
pub fn write_choice_json_line<W: Write>(out: &mut W, row: &ChoiceRow) -> Result<(), ExportError> {
    Ok(write_json_line(out, row)?)
}
