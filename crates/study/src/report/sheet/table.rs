//! Rows of cells, with what a sheet of any kind has to know of them.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Rows of cells.
pub(in super::super) struct Table {
    /// The names of the columns.
    pub(in super::super) head: Vec<String>,
    /// The rows below.
    pub(in super::super) rows: Vec<Vec<String>>,
    /// Whether the names of the columns are from the file, and of any length.
    pub(in super::super) is_of_names: bool,
    /// Which columns are text, and stand where a line begins.
    text: Vec<usize>,
}

impl Table {
    /// A table whose columns we name; those of `text` are not numbers.
    pub(super) fn new(head: &[&str], text: &[usize]) -> Self {
        let head = head.iter().map(|&cell| cell.to_owned()).collect();
        Self { head, rows: Vec::new(), is_of_names: false, text: text.to_vec() }
    }

    /// A table whose columns, but for the first, have names from the file.
    pub(super) fn of_names<'a>(
        first: &'a str,
        names: impl IntoIterator<Item = &'a String>,
    ) -> Self {
        let head = std::iter::once(first).chain(names.into_iter().map(String::as_str));
        let head = head.map(str::to_owned).collect();
        Self { head, rows: Vec::new(), is_of_names: true, text: vec![0] }
    }

    pub(super) fn with(self, rows: impl IntoIterator<Item = Vec<String>>) -> Self {
        Self { rows: rows.into_iter().collect(), ..self }
    }

    /// Whether a column is text, and not numbers.
    pub(in super::super) fn is_text(&self, column: usize) -> bool {
        self.text.contains(&column)
    }
}

/// A text in which controls have become spaces, so that nothing in a file can command a terminal.
pub(in super::super) fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A [`plain`] name of at most so many columns of a terminal.
pub(in super::super) fn shortened(name: &str, widest: usize) -> String {
    let plain = plain(name);
    if plain.width() <= widest {
        return plain;
    }
    let mut kept = String::new();
    let mut width = 0;
    for character in plain.chars() {
        width += character.width().unwrap_or(0);
        if width >= widest {
            break;
        }
        kept.push(character);
    }
    kept.push('…');
    kept
}
