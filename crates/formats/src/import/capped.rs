//! A reader that gives no more than a limit for one record, for parsers that would read on.

use std::io::{self, BufRead, Read};

use super::error::Problem;
use super::lines::is_utf16;
use super::{MAX_DOCUMENT_BYTES, MAX_LINE_BYTES};

/// The most bytes that one row may hold: a text and a line of other cells.
const MAX_ROW_BYTES: usize = MAX_DOCUMENT_BYTES + MAX_LINE_BYTES;

/// Gives bytes until a record is longer than [`MAX_ROW_BYTES`], and fails then.
#[derive(Debug)]
pub(super) struct Capped<R> {
    reader: R,
    /// How many bytes were given since the record began, and up to a buffer more.
    given: usize,
    started: bool,
    refused: Option<Problem>,
}

impl<R: BufRead> Capped<R> {
    pub(super) const fn new(reader: R) -> Self {
        Self { reader, given: 0, started: false, refused: None }
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
        let read = self.reader.read(out)?;
        let bytes = out.get(..read).unwrap_or_default();
        if !std::mem::replace(&mut self.started, true) && is_utf16(bytes) {
            return Err(self.refuse(Problem::Utf16));
        }
        self.given += read;
        Ok(read)
    }
}
