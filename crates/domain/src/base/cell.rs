//! Cells of tables that people open with a spreadsheet.

use std::borrow::Cow;

/// Whether a spreadsheet could take a cell for a formula and run it: by its first character, the
/// full-width forms included, or by white space that spreadsheets leave out before they look.
fn is_formula(cell: &str) -> bool {
    cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
}

/// Puts an apostrophe before a text that a spreadsheet could run as a formula. Numbers are not for
/// this: a negative one is what it is.
pub fn safe_cell(text: &str) -> Cow<'_, str> {
    if is_formula(text) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// A text as it was before [`safe_cell`] put an apostrophe before it.
pub fn without_guard(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|text| is_formula(text)).unwrap_or(cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_be_a_formula_is_text_and_all_else_is_what_it_is() {
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＠x"] {
            assert_eq!(safe_cell(formula), format!("'{formula}"));
            assert_eq!(without_guard(&safe_cell(formula)), formula);
        }
        for text in ["", "a=b", "'=1", "1-2", "–", " a"] {
            assert!(matches!(safe_cell(text), Cow::Borrowed(same) if same == text));
        }
        for text in ["", "a=b", "'", "'a", "''=1", "=1"] {
            assert_eq!(without_guard(text), text);
        }
    }
}
