//! Columns that stand below each other, as wide as a terminal shows them.

use std::io::{self, Write};
use std::iter::{once, repeat};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// What is wider than this is shortened.
const WIDEST_NAME: usize = 52;
/// Names at the head of many columns, and what stands below them, are shortened more.
const WIDEST_HEAD: usize = 10;
/// What begins a line is shortened to this.
const WIDEST_FIRST: usize = 34;

/// Rows of cells.
pub(super) struct Table {
    rows: Vec<Vec<String>>,
    /// Which columns are text, and stand to the left.
    left: Vec<usize>,
    /// Cells but the first are shortened to this.
    widest: usize,
}

impl Table {
    pub(super) fn new(head: &[&str], left: &[usize]) -> Self {
        let head = head.iter().map(|&cell| cell.to_owned()).collect();
        Self { rows: vec![head], left: left.to_vec(), widest: WIDEST_NAME }
    }

    /// A table whose columns have names from the file.
    pub(super) fn of_names(head: &[String]) -> Self {
        let head = head.iter().map(|name| shortened(name, WIDEST_HEAD)).collect();
        Self { rows: vec![head], left: vec![0], widest: WIDEST_HEAD }
    }

    pub(super) fn row(&mut self, cells: &[String]) {
        let widths = once(WIDEST_FIRST).chain(repeat(self.widest));
        let cells = cells.iter().zip(widths);
        self.rows.push(cells.map(|(cell, widest)| shortened(cell, widest)).collect());
    }

    pub(super) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let mut widths: Vec<usize> = Vec::new();
        for row in &self.rows {
            widths.resize(widths.len().max(row.len()), 0);
            for (widest, cell) in widths.iter_mut().zip(row) {
                *widest = (*widest).max(cell.width());
            }
        }
        for row in &self.rows {
            let mut line = String::new();
            for (place, (cell, widest)) in row.iter().zip(&widths).enumerate() {
                let padding = " ".repeat(widest.saturating_sub(cell.width()));
                let is_left = self.left.contains(&place);
                let (before, after) = if is_left { ("", &*padding) } else { (&*padding, "") };
                line.extend(["  ", before, cell, after]);
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// A text in which controls have become spaces, so that nothing in a file can command a terminal.
pub(super) fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A [`plain`] name of at most so many columns.
pub(super) fn shortened(name: &str, widest: usize) -> String {
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
