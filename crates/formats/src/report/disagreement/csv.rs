//! The adjudication list as CSV for spreadsheets.

use std::io::Write;

use domain::safe_cell;

use crate::export::error::ExportError;
use crate::export::record::write_record;
use crate::report::disagreement::{DisagreementRow, RaterCell};

/// The names of the columns before those of raters, with spaces between.
const COLUMNS_BEFORE_RATERS: &str =
    "document_id document start end start_utf16 end_utf16 quote left right kind";

/// Those after them.
const COLUMNS_AFTER_RATERS: &str =
    "decision decided_labels decided_by decided_at decided_because decided_code text_sha256";

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
        write_record(out, columns(&self.raters).map(|name| safe_cell(&name).into_owned()))
    }

    /// Writes one row, which must have the raters of the header.
    pub fn write_row<W: Write>(
        &self,
        out: &mut W,
        row: &DisagreementRow,
    ) -> Result<(), ExportError> {
        let cells = cells(&self.raters, row)?;
        let cells = cells.into_iter().map(|cell| match cell {
            Cell::Number(number) => safe_cell(&number.to_string()).into_owned(),
            Cell::Text(text) => safe_cell(&text).into_owned(),
        });
        write_record(out, cells)
    }
}

/// A cell of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cell {
    Number(i64),
    Text(String),
}

/// The names of the columns of a list with these raters.
pub(crate) fn columns(raters: &[String]) -> impl Iterator<Item = String> {
    COLUMNS_BEFORE_RATERS
        .split(' ')
        .map(str::to_owned)
        .chain(raters.iter().map(|name| format!("rater: {name}")))
        .chain(COLUMNS_AFTER_RATERS.split(' ').map(str::to_owned))
}

/// The cells of a row, which must have the raters of the header.
pub(crate) fn cells(raters: &[String], row: &DisagreementRow) -> Result<Vec<Cell>, ExportError> {
    if !row.raters.iter().map(|(name, _)| name).eq(raters) {
        return Err(ExportError::OtherRaters {
            document_id: row.document_id,
            expected: raters.to_owned(),
            found: row.raters.iter().map(|(name, _)| name.clone()).collect(),
        });
    }
    let offset = |offset: usize| Cell::Number(i64::try_from(offset).unwrap_or(i64::MAX));
    let text = |text: &str| Cell::Text(text.to_owned());
    let known = |text: &Option<String>| Cell::Text(text.clone().unwrap_or_default());
    let before = [
        Cell::Number(row.document_id),
        text(&row.document),
        offset(row.start),
        offset(row.end),
        offset(row.start_utf16),
        offset(row.end_utf16),
        text(&row.quote),
        text(&row.left),
        text(&row.right),
        text(&row.kind),
    ];
    let after = [
        known(&row.decision),
        Cell::Text(join_labels(&row.decided_labels)),
        known(&row.decided_by),
        known(&row.decided_at),
        known(&row.decided_because),
        known(&row.decided_code),
        text(&row.text_sha256),
    ];
    let raters = row.raters.iter().map(|(_, cell)| Cell::Text(rater_cell(cell)));
    Ok(before.into_iter().chain(raters).chain(after).collect())
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
