//! A reader that gives no more than a limit for one record, in bytes and in cells, for parsers that
//! would read on.

use std::io::{self, BufRead, Read};

use crate::import::limits::{MAX_DOCUMENT_BYTES, MAX_LINE_BYTES};
use crate::import::lines::is_utf16;
use crate::problem::Problem;
use crate::problem::exchange::ExchangeProblem;
use crate::table::columns::MAX_COLUMNS;

/// The most bytes that one row may hold: a text and a line of other cells.
const MAX_ROW_BYTES: usize = MAX_DOCUMENT_BYTES + MAX_LINE_BYTES;

/// A record of so many cells is not read to its end: each takes room beside its bytes. It is more than
/// a table may have, so that a broken row of a sound table is told by its line.
const MAX_CELLS: usize = 100 * MAX_COLUMNS;

/// Gives bytes until a record is longer than [`MAX_ROW_BYTES`] or [`MAX_CELLS`], and fails then.
#[derive(Debug)]
pub(super) struct Capped<R> {
    reader: R,
    /// How many bytes were given since the record began, and up to a buffer more.
    given: usize,
    started: bool,
    cells: Cells,
    refused: Option<Problem>,
}

impl<R: BufRead> Capped<R> {
    pub(super) const fn new(reader: R, delimiter: u8) -> Self {
        let cells = Cells { delimiter, count: 0, at: At::Start };
        Self { reader, given: 0, started: false, cells, refused: None }
    }

    /// Counts from here.
    pub(super) const fn start_record(&mut self) {
        self.given = 0;
    }

    /// Why reading failed, in the words of a problem.
    pub(super) fn problem(&self, error: &csv::Error) -> Problem {
        self.refused.clone().unwrap_or_else(|| {
            let reason = match error.kind() {
                csv::ErrorKind::Io(error) => error.to_string(),
                _ => error.to_string(),
            };
            Problem::Unreadable { reason }
        })
    }

    fn refuse(&mut self, problem: Problem) -> io::Error {
        self.refused = Some(problem);
        io::Error::from(io::ErrorKind::InvalidData)
    }
}

impl<R: BufRead> Read for Capped<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.given > MAX_ROW_BYTES {
            return Err(self.refuse(Problem::RecordTooLong));
        }
        if self.cells.count > MAX_CELLS {
            let problem = ExchangeProblem::TooMany("columns", MAX_COLUMNS);
            return Err(self.refuse(problem.into()));
        }
        let read = self.reader.read(out)?;
        let bytes = out.get(..read).unwrap_or_default();
        if !std::mem::replace(&mut self.started, true) && is_utf16(bytes) {
            return Err(self.refuse(Problem::Utf16));
        }
        self.given += read;
        for byte in bytes {
            self.cells.see(*byte);
        }
        Ok(read)
    }
}

/// Counts the cells of the record that is being given, as RFC 4180 parts them.
#[derive(Debug)]
struct Cells {
    delimiter: u8,
    count: usize,
    at: At,
}

/// Where in a cell the next byte stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    /// At its start, where a quote opens it.
    Start,
    /// In a cell without quotes.
    Plain,
    /// Within quotes, where nothing parts cells.
    Quoted,
}

impl Cells {
    fn see(&mut self, byte: u8) {
        match (self.at, byte) {
            (At::Start, b'"') => self.at = At::Quoted,
            // Doubled, it is a quote in the cell, which the next one opens again.
            (At::Quoted, b'"') => self.at = At::Start,
            (At::Quoted, _) => {}
            (_, b'\n' | b'\r') => (self.count, self.at) = (0, At::Start),
            (_, byte) if byte == self.delimiter => {
                (self.count, self.at) = (self.count + 1, At::Start);
            }
            _ => self.at = At::Plain,
        }
    }
}
