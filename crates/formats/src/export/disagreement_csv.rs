//! The adjudication list as CSV for spreadsheets.

use std::io::{self, Write};

use csv::{Terminator, WriterBuilder};

use super::disagreement::{DisagreementRow, RaterCell};
use super::error::ExportError;
use super::spreadsheet::safe_cell;

const COLUMNS_BEFORE_RATERS: [&str; 10] = [
    "document_id",
    "document",
    "start",
    "end",
    "start_utf16",
    "end_utf16",
    "quote",
    "left",
    "right",
    "kind",
];

const COLUMNS_AFTER_RATERS: [&str; 7] = [
    "decision",
    "decided_labels",
    "decided_by",
    "decided_at",
    "decided_because",
    "decided_code",
    "text_sha256",
];

/// Writes an adjudication list as CSV (RFC 4180: CRLF line ends, quotes doubled) in UTF-8.
///
/// Columns: `document_id`, `document`, `start`, `end`, `start_utf16`, `end_utf16`, `quote`,
/// `left`, `right`, `kind`, then `rater: <name>` for each rater, then `decision`,
/// `decided_labels`, `decided_by`, `decided_at`, `decided_because`, `decided_code`,
/// `text_sha256`. What is not known is an empty cell. Fields mean what they mean in [`DisagreementRow`].
///
/// | What a rater says | Cell |
/// | --- | --- |
/// | [`RaterCell::NotJudged`] | empty |
/// | [`RaterCell::NothingMarked`] | `(nothing)` |
/// | [`RaterCell::Rejected`] | `(rejected)` |
/// | [`RaterCell::Labels`] | the labels, parted by a vertical bar |
///
/// In a label, `\` and the vertical bar are preceded by `\`, and so is a `(` at its start, so that
/// no label reads as anything else. `decided_labels` is written in the same way.
///
/// A cell that a spreadsheet could take for a formula (it starts with `=`, `+`, `-`, `@`, their
/// full-width forms, a tab or a line end) gets an apostrophe before it. Programs that need the
/// data byte for byte read [`crate::write_disagreement_json_line`] instead.
#[derive(Debug, Clone)]
pub struct DisagreementCsv {
    raters: Vec<String>,
}

impl DisagreementCsv {
    /// A list with these raters as columns, in this order.
    pub fn new(raters: Vec<String>) -> Self {
        Self { raters }
    }

    /// Writes the names of the columns: once, before the rows.
    pub fn write_header<W: Write>(&self, out: &mut W) -> Result<(), ExportError> {
        let raters = self.raters.iter().map(|name| format!("rater: {name}"));
        let cells = COLUMNS_BEFORE_RATERS
            .into_iter()
            .map(str::to_owned)
            .chain(raters)
            .chain(COLUMNS_AFTER_RATERS.into_iter().map(str::to_owned));
        Ok(write_record(out, cells)?)
    }

    /// Writes one row, which must have the raters of the header.
    pub fn write_row<W: Write>(
        &self,
        out: &mut W,
        row: &DisagreementRow,
    ) -> Result<(), ExportError> {
        if !row.raters.iter().map(|(name, _)| name).eq(&self.raters) {
            return Err(ExportError::OtherRaters {
                document_id: row.document_id,
                expected: self.raters.clone(),
                found: row.raters.iter().map(|(name, _)| name.clone()).collect(),
            });
        }
        let before = [
            row.document_id.to_string(),
            row.document.clone(),
            row.start.to_string(),
            row.end.to_string(),
            row.start_utf16.to_string(),
            row.end_utf16.to_string(),
            row.quote.clone(),
            row.left.clone(),
            row.right.clone(),
            row.kind.clone(),
        ];
        let after = [
            row.decision.clone().unwrap_or_default(),
            join_labels(&row.decided_labels),
            row.decided_by.clone().unwrap_or_default(),
            row.decided_at.clone().unwrap_or_default(),
            row.decided_because.clone().unwrap_or_default(),
            row.decided_code.clone().unwrap_or_default(),
            row.text_sha256.clone(),
        ];
        let raters = row.raters.iter().map(|(_, cell)| rater_cell(cell));
        Ok(write_record(out, before.into_iter().chain(raters).chain(after))?)
    }
}

fn write_record<W: Write>(out: &mut W, cells: impl Iterator<Item = String>) -> io::Result<()> {
    let mut record =
        WriterBuilder::new().terminator(Terminator::CRLF).buffer_capacity(1024).from_writer(out);
    for cell in cells {
        record.write_field(safe_cell(&cell).as_bytes())?;
    }
    record.write_record(None::<&[u8]>)?;
    record.flush()
}

fn rater_cell(cell: &RaterCell) -> String {
    match cell {
        RaterCell::NotJudged => String::new(),
        RaterCell::NothingMarked => "(nothing)".to_owned(),
        RaterCell::Rejected => "(rejected)".to_owned(),
        RaterCell::Labels(labels) => join_labels(labels),
    }
}

fn join_labels(labels: &[String]) -> String {
    labels.iter().map(|label| escape_label(label)).collect::<Vec<_>>().join("|")
}

fn escape_label(label: &str) -> String {
    let escaped = label.replace('\\', "\\\\").replace('|', "\\|");
    if escaped.starts_with('(') { format!("\\{escaped}") } else { escaped }
}
