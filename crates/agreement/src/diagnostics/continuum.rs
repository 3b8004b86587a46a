//! A continuum in plain text: a row per rater, units as the initials of their categories.

use std::collections::BTreeMap;
use std::fmt::{Display, Write};

use crate::{Continuum, Unit};

/// Draws a continuum in so many columns (at least 10), with a legend below.
///
/// A unit of three cells and more stands in brackets. Units of one rater that overlap, or that
/// the scale puts into the same cell, are drawn in further rows.
///
/// ```
/// use agreement::{Continuum, Unit, diagnostics::draw_continuum};
///
/// let unit = |(rater, start, length, category)| Unit { rater, start, length, category };
/// let units = [(0, 2, 8, "NP"), (0, 12, 2, "VP"), (1, 2, 7, "NP"), (1, 9, 1, "NN")];
/// let continuum = Continuum::new(0, 20, 2, units.map(unit))?;
/// assert_eq!(draw_continuum(&continuum, 20), "\
/// rater 0 ··[PPPPPP]··VV······
/// rater 1 ··[PPPPP]N··········
///         0                 20
/// N = NN, P = NP, V = VP
/// ");
/// # Ok::<(), agreement::InvalidUnit>(())
/// ```
pub fn draw_continuum<C: Ord + Display>(continuum: &Continuum<C>, columns: usize) -> String {
    let columns = columns.max(10);
    let symbols = symbols(continuum);
    let names: Vec<String> =
        (0..continuum.raters()).map(|rater| format!("rater {rater} ")).collect();
    let margin = names.iter().map(String::len).max().unwrap_or(0);

    let mut drawing = String::new();
    for (rater, name) in names.iter().enumerate() {
        let mut rows = vec![Row::new(columns)];
        for unit in continuum.units(rater) {
            let (from, to) = cells(continuum, unit, columns);
            let symbol = symbols.get(&unit.category).copied().unwrap_or('?');
            let taken = rows.iter_mut().all(|row| !row.draw(from, to, symbol));
            if taken {
                let mut row = Row::new(columns);
                row.draw(from, to, symbol);
                rows.push(row);
            }
        }
        for (place, row) in rows.iter().enumerate() {
            let name = if place == 0 { name.as_str() } else { "" };
            let cells: String = row.cells.iter().collect();
            push_line(&mut drawing, format_args!("{name:margin$}{cells}"));
        }
    }
    let begin = continuum.begin().to_string();
    let end = continuum.begin().saturating_add(continuum.length()).to_string();
    let room = columns.saturating_sub(begin.len());
    push_line(&mut drawing, format_args!("{:margin$}{begin}{end:>room$}", ""));
    let legend: Vec<String> =
        symbols.iter().map(|(category, symbol)| format!("{symbol} = {category}")).collect();
    if !legend.is_empty() {
        push_line(&mut drawing, format_args!("{}", legend.join(", ")));
    }
    drawing
}

fn push_line(drawing: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = writeln!(drawing, "{line}");
}

/// A character per category: a letter of its name that is not taken yet, or another one.
fn symbols<C: Ord + Display>(continuum: &Continuum<C>) -> BTreeMap<&C, char> {
    let mut symbols: BTreeMap<&C, char> = BTreeMap::new();
    for category in continuum.categories() {
        let name = category.to_string();
        let own = name.chars().filter(|symbol| symbol.is_alphanumeric());
        let other = ('A'..='Z').chain('a'..='z').chain('0'..='9');
        let free = own.chain(other).find(|symbol| !symbols.values().any(|taken| taken == symbol));
        symbols.insert(category, free.unwrap_or('?'));
    }
    symbols
}

/// The cells of a unit, at least one.
fn cells<C>(continuum: &Continuum<C>, unit: &Unit<C>, columns: usize) -> (usize, usize) {
    let cell = |point: u64, up: u128| {
        let scaled = u128::from(point.saturating_sub(continuum.begin()))
            * u128::try_from(columns).unwrap_or(0);
        let length = u128::from(continuum.length()).max(1);
        usize::try_from((scaled + up * (length - 1)) / length).unwrap_or(columns)
    };
    let from = cell(unit.start, 0);
    (from, cell(unit.end(), 1).max(from + 1))
}

/// A row of cells, and up to where it is taken.
struct Row {
    cells: Vec<char>,
    taken: usize,
}

impl Row {
    fn new(columns: usize) -> Self {
        Self { cells: vec!['·'; columns], taken: 0 }
    }

    /// Draws a unit unless something is there already.
    fn draw(&mut self, from: usize, to: usize, symbol: char) -> bool {
        if from < self.taken {
            return false;
        }
        self.taken = to;
        let bracketed = to - from >= 3;
        for (place, cell) in self.cells.iter_mut().enumerate().take(to).skip(from) {
            *cell = match (bracketed, place) {
                (true, place) if place == from => '[',
                (true, place) if place + 1 == to => ']',
                _ => symbol,
            };
        }
        true
    }
}
