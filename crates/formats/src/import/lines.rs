//! Lines of a file as UTF-8, read without ever holding more than the longest allowed line.

use std::io::{BufRead, ErrorKind};

use crate::import::limits::{MAX_LINE_BYTES, count64};
use crate::problem::Problem;

/// Lines of so many bytes get room for the longest there may be, of which the system gives what is used.
const LONG_LINE: usize = 1024 * 1024;

/// The UTF-8 byte order mark, which some editors put before the first line.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Whether the bytes start with a UTF-16 byte order mark, of either order.
pub(crate) fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF")
}

/// A line without its line end, or what is wrong with it, under its number counted from 1.
pub(crate) type NumberedLine = (usize, Result<String, Problem>);

/// Splits a reader into lines at LF or CRLF.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    reader: R,
    number: usize,
    offset: u64,
    ended: bool,
}

/// A line's bytes as they came, or why they were let go.
enum RawLine {
    Whole(Vec<u8>),
    TooLong,
    Unreadable(String),
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self { reader, number: 0, offset: 0, ended: false }
    }

    /// Reads up to the next LF or the end; none when there is nothing left.
    fn read_raw(&mut self) -> Option<(RawLine, u64)> {
        let mut line = Vec::new();
        let mut consumed = 0_u64;
        let mut too_long = false;
        loop {
            let chunk = match self.reader.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.ended = true;
                    return Some((RawLine::Unreadable(error.to_string()), consumed));
                }
            };
            if chunk.is_empty() {
                self.ended = true;
                if consumed == 0 {
                    return None;
                }
                break;
            }
            let line_end = chunk.iter().position(|byte| *byte == b'\n');
            let taken = line_end.map_or(chunk.len(), |position| position + 1);
            let content = chunk.get(..line_end.unwrap_or(taken)).unwrap_or_default();
            if too_long || line.len() + content.len() > MAX_LINE_BYTES {
                too_long = true;
                line = Vec::new();
            } else {
                if line.len() >= LONG_LINE {
                    // Grown by doubling, it would be there twice while it is copied.
                    line.reserve_exact(MAX_LINE_BYTES - line.len());
                }
                line.extend_from_slice(content);
            }
            consumed += count64(taken);
            self.reader.consume(taken);
            if line_end.is_some() {
                break;
            }
        }
        Some((if too_long { RawLine::TooLong } else { RawLine::Whole(line) }, consumed))
    }

    /// Checks and decodes the line that starts at byte `start` of the file.
    fn decode(&mut self, mut line: Vec<u8>, mut start: u64) -> Result<String, Problem> {
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        if self.number == 1 {
            if is_utf16(&line) {
                self.ended = true;
                return Err(Problem::Utf16);
            }
            if line.starts_with(BYTE_ORDER_MARK) {
                line.drain(..BYTE_ORDER_MARK.len());
                start += 3;
            }
        }
        let line = String::from_utf8(line).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            Problem::InvalidUtf8(start + count64(valid))
        })?;
        if line.contains('\0') { Err(Problem::ContainsNul) } else { Ok(line) }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = NumberedLine;

    fn next(&mut self) -> Option<NumberedLine> {
        if self.ended {
            return None;
        }
        let start = self.offset;
        let (line, consumed) = self.read_raw()?;
        self.offset += consumed;
        self.number += 1;
        let line = match line {
            RawLine::Whole(bytes) => self.decode(bytes, start),
            RawLine::TooLong => Err(Problem::LineTooLong),
            RawLine::Unreadable(reason) => Err(Problem::Unreadable { reason }),
        };
        Some((self.number, line))
    }
}
