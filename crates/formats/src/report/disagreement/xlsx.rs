//! The adjudication list as a workbook for spreadsheets.

use std::fmt;
use std::io;

use rust_xlsxwriter::{Format, Workbook, Worksheet, XlsxError};

use crate::export::error::ExportError;
use crate::report::disagreement::DisagreementRow;
use crate::report::disagreement::csv::{Cell, cells, columns};

/// The most characters of a cell, as spreadsheets count them: in UTF-16 code units.
const MOST_UNITS: usize = 32_767;

/// The most rows of a sheet below its header.
const MOST_ROWS: u32 = 1_048_575;

/// The largest whole number that a cell holds exactly.
const MOST_EXACT: u64 = 1 << 53;

/// Writes an adjudication list as XLSX: one sheet with the columns of [`crate::DisagreementCsv`],
/// whose header stays in view and has filters.
///
/// Offsets and ids are numbers. Everything else is text, and never a formula, whatever it begins
/// with; so nothing is put before it. Rows go to a file of the system's as they come, so that a long
/// list takes no more memory than a short one.
pub struct DisagreementXlsx {
    raters: Vec<String>,
    workbook: Workbook,
    /// How many rows are written.
    rows: u32,
}

impl fmt::Debug for DisagreementXlsx {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { raters, rows, .. } = self;
        out.debug_struct("DisagreementXlsx").field("raters", raters).field("rows", rows).finish()
    }
}

/// What became of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SheetRow {
    /// It is there as it is.
    Whole,
    /// It is there with a text cut short that is longer than a cell may be.
    Shortened,
    /// It was left out: a sheet has no place for more rows.
    LeftOut,
}

impl DisagreementXlsx {
    /// A list with these raters as columns, in this order.
    pub fn new(raters: Vec<String>) -> Result<Self, ExportError> {
        let mut workbook = Workbook::new();
        let sheet = workbook.add_worksheet_with_constant_memory().map_err(broken)?;
        sheet.set_name("Disagreements").map_err(broken)?;
        sheet.set_freeze_panes(1, 0).map_err(broken)?;
        let bold = Format::new().set_bold();
        for (column, name) in (0..).zip(columns(&raters)) {
            let name = shortened(&name).unwrap_or(name);
            sheet.write_string_with_format(0, column, name, &bold).map_err(broken)?;
        }
        Ok(Self { raters, workbook, rows: 0 })
    }

    /// Writes one row, which must have the raters of the header.
    pub fn write_row(&mut self, row: &DisagreementRow) -> Result<SheetRow, ExportError> {
        let cells = cells(&self.raters, row)?;
        if self.rows == MOST_ROWS {
            return Ok(SheetRow::LeftOut);
        }
        self.rows += 1;
        let at = self.rows;
        let sheet = self.sheet()?;
        let mut written = SheetRow::Whole;
        for (column, cell) in (0..).zip(cells) {
            match cell {
                Cell::Number(number) => match exact(number) {
                    Some(number) => sheet.write_number(at, column, number),
                    None => sheet.write_string(at, column, number.to_string()),
                },
                Cell::Text(text) if text.is_empty() => continue,
                Cell::Text(text) => match shortened(&text) {
                    Some(short) => {
                        written = SheetRow::Shortened;
                        sheet.write_string(at, column, short)
                    }
                    None => sheet.write_string(at, column, text),
                },
            }
            .map_err(broken)?;
        }
        Ok(written)
    }

    /// The workbook as a file.
    pub fn finish(mut self) -> Result<Vec<u8>, ExportError> {
        let last = u16::try_from(columns(&self.raters).count() - 1).unwrap_or(u16::MAX);
        let rows = self.rows;
        self.sheet()?.autofilter(0, 0, rows, last).map_err(broken)?;
        self.workbook.save_to_buffer().map_err(broken)
    }

    fn sheet(&mut self) -> Result<&mut Worksheet, ExportError> {
        self.workbook.worksheet_from_index(0).map_err(broken)
    }
}

/// A number as a spreadsheet holds it, if it holds it exactly.
fn exact(number: i64) -> Option<f64> {
    let digits = number.to_string();
    if number.unsigned_abs() <= MOST_EXACT { digits.parse().ok() } else { None }
}

/// A text that is too long for a cell, cut short with an ellipsis; none for others.
fn shortened(text: &str) -> Option<String> {
    let mut units = 0;
    let mut fits = 0;
    for (at, scalar) in text.char_indices() {
        if units + scalar.len_utf16() < MOST_UNITS {
            fits = at + scalar.len_utf8();
        }
        units += scalar.len_utf16();
    }
    (units > MOST_UNITS).then(|| format!("{}…", text.get(..fits).unwrap_or_default()))
}

fn broken(error: XlsxError) -> ExportError {
    match error {
        XlsxError::IoError(error) => error,
        other => io::Error::other(other),
    }
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_longer_than_a_cell_is_cut_between_characters() {
        assert_eq!(shortened(&"é".repeat(MOST_UNITS)), None);
        let long = "🥳".repeat(MOST_UNITS / 2 + 1);
        let short = shortened(&long).unwrap();
        assert!(short.ends_with("🥳…"));
        assert_eq!(short.encode_utf16().count(), MOST_UNITS);
    }

    #[test]
    fn only_numbers_that_stay_what_they_are_are_numbers() {
        assert_eq!(exact(7), Some(7.0));
        assert_eq!(exact(-9_007_199_254_740_992), Some(-9_007_199_254_740_992.0));
        assert_eq!(exact(9_007_199_254_740_993), None);
    }
}
