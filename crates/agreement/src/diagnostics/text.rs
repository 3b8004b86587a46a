//! Plain text in aligned columns, as wide as a terminal shows it.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How matrices and lists are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Digits after the point.
    pub decimals: usize,
    /// Names wider than this many columns are shortened, with `…` at the end.
    pub widest_name: usize,
}

impl Default for Layout {
    fn default() -> Self {
        Self { decimals: 3, widest_name: 16 }
    }
}

/// Something that is printed as one line of a list.
pub trait Entry {
    /// What heads each column.
    const COLUMNS: &'static [&'static str];

    /// The text of each column; names are shortened to fit.
    fn cells(&self, layout: &Layout) -> Vec<String>;
}

/// A list with a heading, in aligned columns: the first to the left, all others to the right.
pub fn listing<E: Entry>(entries: &[E], layout: &Layout) -> String {
    let heading = E::COLUMNS.iter().map(|&column| column.to_owned()).collect();
    let lines: Vec<Vec<String>> =
        std::iter::once(heading).chain(entries.iter().map(|entry| entry.cells(layout))).collect();
    aligned(&lines)
}

/// Lines of cells as text: the first column to the left, all others to the right.
pub(crate) fn aligned(lines: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = Vec::new();
    for line in lines {
        widths.resize(widths.len().max(line.len()), 0);
        for (widest, cell) in widths.iter_mut().zip(line) {
            *widest = (*widest).max(cell.width());
        }
    }
    let mut text = String::new();
    for line in lines {
        let mut written = String::new();
        for (place, (cell, widest)) in line.iter().zip(&widths).enumerate() {
            let padding = " ".repeat(widest.saturating_sub(cell.width()));
            if place == 0 {
                written.push_str(cell);
                written.push_str(&padding);
            } else {
                written.push_str("  ");
                written.push_str(&padding);
                written.push_str(cell);
            }
        }
        text.push_str(written.trim_end());
        text.push('\n');
    }
    text
}

/// A name of at most so many columns; line breaks and other controls become spaces.
pub(crate) fn shortened(name: &str, widest: usize) -> String {
    let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if name.width() <= widest {
        return name;
    }
    let room = widest.saturating_sub(1);
    let mut kept = String::new();
    for character in name.chars() {
        kept.push(character);
        if kept.width() > room {
            kept.pop();
            break;
        }
    }
    // Nothing joins the ellipsis to what it would have been joined to.
    while kept.ends_with(['\u{200d}', ' ']) {
        kept.pop();
    }
    if widest > 0 {
        kept.push('…');
    }
    debug_assert!(kept.chars().all(|character| character.width().is_some()));
    kept
}

#[cfg(test)]
mod tests {
    use super::{aligned, shortened};

    #[test]
    fn names_are_shortened_to_columns_not_to_bytes() {
        assert_eq!(shortened("organisation", 16), "organisation");
        assert_eq!(shortened("organisation", 8), "organis…");
        assert_eq!(shortened("固有表現抽出", 7), "固有表…");
        assert_eq!(shortened("固有表現抽出", 6), "固有…");
        assert_eq!(shortened("e\u{301}e\u{301}e\u{301}", 2), "e\u{301}…");
        assert_eq!(shortened("two\nlines", 16), "two lines");
        assert_eq!(shortened("name", 0), "");
    }

    #[test]
    fn columns_align_under_wide_characters() {
        let line = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        assert_eq!(
            aligned(&[line(["", "n"]), line(["人名", "12"]), line(["PER", "3"])]),
            "       n\n人名  12\nPER    3\n"
        );
    }
}
