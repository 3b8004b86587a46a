//! What an export does not hold, as a list: lines of JSON while it is gathered, then a list of JSON
//! or a table.

use std::io::{BufRead, Write};

use domain::safe_cell;
use serde::{Deserialize, Serialize};

use crate::export::error::ExportError;
use crate::export::json_line::write_json_line;
use crate::export::loss::Loss;
use crate::export::record::write_record;

/// The files of a bundle that list what it does not hold; whoever reads it passes them over.
pub const LOSSES: [&str; 2] = ["concord-losses.json", "concord-losses.csv"];

/// A loss as programs and spreadsheets have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LossRow {
    /// The name of the document.
    pub document: String,
    /// The rater whose span it is.
    pub rater: Option<String>,
    /// Where the span starts, in Unicode scalar values; none where the loss is the document's.
    pub start: Option<usize>,
    /// Where the span ends, exclusive.
    pub end: Option<usize>,
    /// The span's label.
    pub label: Option<String>,
    /// The reason in one word: [`crate::LossReason::name`].
    pub reason: String,
    /// Whether it is missing from the file, rather than written in another way.
    pub left_out: bool,
    /// What became of it, in words.
    pub message: String,
}

impl From<&Loss> for LossRow {
    fn from(loss: &Loss) -> Self {
        let span = loss.span.as_ref();
        Self {
            document: loss.document.clone(),
            rater: loss.rater.clone(),
            start: span.map(|span| span.start),
            end: span.map(|span| span.end),
            label: span.map(|span| span.label.clone()),
            reason: loss.reason.name().to_owned(),
            left_out: loss.reason.left_out(),
            message: loss.reason.to_string(),
        }
    }
}

/// Writes a loss as one line of JSON, which is what the other functions here are given.
pub fn write_loss_line<W: Write>(out: &mut W, loss: &Loss) -> Result<(), ExportError> {
    Ok(write_json_line(out, &LossRow::from(loss))?)
}

/// Writes lines of losses as one list of JSON.
pub fn write_loss_list<W: Write>(out: &mut W, lines: impl BufRead) -> Result<(), ExportError> {
    let mut before = "[\n";
    for line in lines.lines() {
        write!(out, "{before}{}", line?)?;
        before = ",\n";
    }
    Ok(out.write_all(if before == "[\n" { b"[]\n" } else { b"\n]\n" })?)
}

/// Writes lines of losses as a table for spreadsheets (RFC 4180), with the columns of [`LossRow`].
///
/// A cell that a spreadsheet could take for a formula gets an apostrophe before it.
pub fn write_loss_table<W: Write>(out: &mut W, lines: impl BufRead) -> Result<(), ExportError> {
    let columns = ["document", "rater", "start", "end", "label", "reason", "left_out", "message"];
    write_record(out, columns.into_iter().map(str::to_owned))?;
    for line in lines.lines() {
        let row: LossRow = serde_json::from_str(&line?).map_err(std::io::Error::from)?;
        let number =
            |place: Option<usize>| place.map(|place| place.to_string()).unwrap_or_default();
        let cells = [
            safe_cell(&row.document).into_owned(),
            safe_cell(&row.rater.unwrap_or_default()).into_owned(),
            number(row.start),
            number(row.end),
            safe_cell(&row.label.unwrap_or_default()).into_owned(),
            row.reason,
            row.left_out.to_string(),
            safe_cell(&row.message).into_owned(),
        ];
        write_record(out, cells.into_iter())?;
    }
    Ok(())
}
