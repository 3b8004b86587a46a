//! Standard output: what a command answers. The log goes to standard error.

use std::io::{self, Write};

use domain::{ImportProblem, is_unfit_for_names};
use serde::Serialize;

/// Writes a line.
pub(in crate::cli) fn say(line: &str) -> io::Result<()> {
    writeln!(io::stdout().lock(), "{}", for_terminals(line))
}

/// The text without what a terminal would take for a command: names were not always checked.
fn for_terminals(text: &str) -> String {
    let shown = |c| match c {
        '\n' | '\t' => c,
        c if is_unfit_for_names(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    text.chars().map(shown).collect()
}

/// What is wrong with files: a line for each kind, with the first place and how many more there are.
pub(in crate::cli) fn refused_lines(problems: &[ImportProblem]) -> Vec<String> {
    let mut kinds: Vec<(&ImportProblem, usize)> = Vec::new();
    for problem in problems {
        match kinds.iter_mut().find(|(first, _)| first.message == problem.message) {
            Some((_, more)) => *more += 1,
            None => kinds.push((problem, 0)),
        }
    }
    let told = |(problem, more): (&ImportProblem, usize)| {
        let ImportProblem { file, line, field, message } = problem;
        let line = line.map(|line| format!(", line {line}")).unwrap_or_default();
        let field = field.as_ref().map(|field| format!(", field {field}")).unwrap_or_default();
        let more = if more > 0 { format!(" (and {more} more)") } else { String::new() };
        if file.is_empty() {
            format!("{message}{more}")
        } else {
            format!("{file}{line}{field}: {message}{more}")
        }
    };
    kinds.into_iter().map(told).collect()
}

/// Writes a value as JSON.
pub(in crate::cli) fn say_json(value: &impl Serialize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, value)?;
    writeln!(out)
}

/// Lines of columns that stand below each other.
pub(in crate::cli) fn table<const COLUMNS: usize>(rows: &[[&str; COLUMNS]]) -> String {
    let mut widths = [0; COLUMNS];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let lines: Vec<String> = rows
        .iter()
        .map(|row| {
            let cells = row.iter().zip(widths);
            let line: Vec<_> = cells.map(|(cell, width)| format!("{cell:width$}")).collect();
            format!("  {}", line.join("  ").trim_end())
        })
        .collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_gives_a_terminal_no_commands() {
        assert_eq!(for_terminals("a\tb\n\u{1b}[2J\u{202e}"), "a\tb\n\u{fffd}[2J\u{fffd}");
    }

    #[test]
    fn columns_stand_below_each_other_and_lines_end_where_their_text_does() {
        let rows = [["name", "does"], ["Zoë", "labels"], ["Manager", ""]];
        assert_eq!(table(&rows), "  name     does\n  Zoë      labels\n  Manager");
    }
}
