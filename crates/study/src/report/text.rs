//! A report as plain text, for a terminal of 80 to 120 columns.

use std::io::{self, Write};
use std::iter::{once, repeat};

use unicode_width::UnicodeWidthStr;

use super::Report;
use super::sheet::{Drawing, Sheet, Table, plain, shortened};

/// Notes are broken into lines of at most so many columns.
const WIDEST_NOTE: usize = 96;
/// What is wider than this is shortened.
const WIDEST_NAME: usize = 52;
/// Names at the head of many columns, and what stands below them, are shortened more.
const WIDEST_HEAD: usize = 10;
/// What begins a line is shortened to this.
const WIDEST_FIRST: usize = 34;

/// How to print.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Whether headings stand out by control characters of a terminal.
    pub colour: bool,
}

impl Report {
    /// Prints the report.
    pub fn print(&self, out: &mut impl Write, style: Style) -> io::Result<()> {
        self.write_on(&mut Text { out, style, below_table: false })
    }
}

/// A sheet of lines.
struct Text<'a, W> {
    out: &'a mut W,
    style: Style,
    /// Whether a table was printed last: the next one stands apart from it.
    below_table: bool,
}

impl<W: Write> Text<'_, W> {
    fn title(&mut self, text: &str) -> io::Result<()> {
        self.below_table = false;
        let text = plain(text);
        if self.style.colour {
            writeln!(self.out, "\x1b[1m{text}\x1b[0m")
        } else {
            writeln!(self.out, "{text}")
        }
    }
}

impl<W: Write> Sheet for Text<'_, W> {
    fn facts(&mut self, title: &str, facts: &[(&str, String)]) -> io::Result<()> {
        self.title(title)?;
        for (name, text) in facts {
            writeln!(self.out, "  {name:<14}  {text}")?;
        }
        Ok(())
    }

    fn heading(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out)?;
        self.title(text)
    }

    fn table(&mut self, table: &Table) -> io::Result<()> {
        if self.below_table {
            writeln!(self.out)?;
        }
        self.below_table = true;
        let rows = fitted(table);
        let mut widths: Vec<usize> = Vec::new();
        for row in &rows {
            widths.resize(widths.len().max(row.len()), 0);
            for (widest, cell) in widths.iter_mut().zip(row) {
                *widest = (*widest).max(cell.width());
            }
        }
        for row in &rows {
            let mut line = String::new();
            for (place, (cell, widest)) in row.iter().zip(&widths).enumerate() {
                let padding = " ".repeat(widest.saturating_sub(cell.width()));
                let (before, after) =
                    if table.is_text(place) { ("", &*padding) } else { (&*padding, "") };
                line.extend(["  ", before, cell, after]);
            }
            writeln!(self.out, "{}", line.trim_end())?;
        }
        Ok(())
    }

    fn note(&mut self, text: &str) -> io::Result<()> {
        self.below_table = false;
        // In lines that are not too long, the later ones indented.
        let mut line = String::from(" ");
        for word in plain(text).split(' ') {
            if line.width() + word.width() >= WIDEST_NOTE {
                writeln!(self.out, "{line}")?;
                line = String::from("   ");
            }
            line.extend([" ", word]);
        }
        writeln!(self.out, "{line}")
    }

    fn continuum(&mut self, drawing: &Drawing<'_>) -> io::Result<()> {
        for line in drawing.letters.lines() {
            writeln!(self.out, "  {}", plain(line))?;
        }
        Ok(())
    }
}

/// Head and rows, with cells that are short enough.
fn fitted(table: &Table) -> Vec<Vec<String>> {
    let widest = if table.is_of_names { WIDEST_HEAD } else { WIDEST_NAME };
    let head = table.head.iter().map(|cell| shortened(cell, widest)).collect();
    let row = |cells: &Vec<String>| {
        let widths = once(WIDEST_FIRST).chain(repeat(widest));
        cells.iter().zip(widths).map(|(cell, widest)| shortened(cell, widest)).collect()
    };
    once(head).chain(table.rows.iter().map(row)).collect()
}
