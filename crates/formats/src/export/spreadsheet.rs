//! Cells that no spreadsheet takes for a formula.

use std::borrow::Cow;

/// Puts an apostrophe before a cell that a spreadsheet could run as a formula.
pub(super) fn safe_cell(cell: &str) -> Cow<'_, str> {
    let starts_formula = |first| {
        matches!(first, '=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '＝' | '＋' | '－' | '＠')
    };
    if cell.starts_with(starts_formula) {
        Cow::Owned(format!("'{cell}"))
    } else {
        Cow::Borrowed(cell)
    }
}
