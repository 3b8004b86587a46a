//! The records of a JSON file: the entries of a list, or values one after the other, each cut out
//! without holding more of the file than the longest allowed record.

use std::io::{BufRead, ErrorKind};

use crate::import::limits::{MAX_RECORD_BYTES, count64};
use crate::import::lines::{BYTE_ORDER_MARK, is_utf16};
use crate::problem::Problem;
use crate::problem::exchange::ExchangeProblem;

/// A record, or what is wrong with it, under the line on which it starts.
pub(crate) type NumberedRecord = (usize, Result<String, Problem>);

/// Cuts a file into records. A file whose first bracket holds objects or lists is a list of
/// records; every other file is a series of values, such as one a line.
#[derive(Debug)]
pub(crate) struct Records<R> {
    reader: R,
    shape: Shape,
    /// Lines that ended before the next byte.
    lines: usize,
    /// Bytes before the next one.
    offset: u64,
    ended: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Unknown,
    /// Within a list: whether an entry must follow, may follow, or a comma must.
    List(Next),
    Series,
    /// After the end of the list.
    Closed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    EntryOrEnd,
    Entry,
    CommaOrEnd,
}

/// Where in its nesting a record is.
#[derive(Debug, Default)]
struct Nesting {
    depth: usize,
    in_string: bool,
    escaped: bool,
    after_line: bool,
}

impl<R: BufRead> Records<R> {
    pub(crate) const fn new(reader: R) -> Self {
        Self { reader, shape: Shape::Unknown, lines: 0, offset: 0, ended: false }
    }

    fn chunk(&mut self) -> Result<&[u8], Problem> {
        loop {
            match self.reader.fill_buf() {
                Ok(_) => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.ended = true;
                    return Err(error.into());
                }
            }
        }
        Ok(self.reader.fill_buf()?)
    }

    fn consume(&mut self, count: usize) {
        self.reader.consume(count);
        self.offset += count64(count);
    }

    /// The next byte that is not whitespace, which stays where it is; none at the end.
    fn peek(&mut self) -> Result<Option<u8>, Problem> {
        loop {
            let chunk = self.chunk()?;
            if chunk.is_empty() {
                return Ok(None);
            }
            let blank = chunk.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let lines = chunk.iter().take(blank).filter(|byte| **byte == b'\n').count();
            let found = chunk.get(blank).copied();
            self.lines += lines;
            self.consume(blank);
            if found.is_some() {
                return Ok(found);
            }
        }
    }

    /// Passes a byte order mark and tells lists of records from series of them. Gives what was
    /// already taken of the first record.
    fn open(&mut self) -> Result<&'static [u8], Problem> {
        let chunk = self.chunk()?;
        if is_utf16(chunk) {
            self.ended = true;
            return Err(Problem::Utf16);
        }
        if chunk.starts_with(BYTE_ORDER_MARK) {
            self.consume(BYTE_ORDER_MARK.len());
        }
        if self.peek()? != Some(b'[') {
            self.shape = Shape::Series;
            return Ok(b"");
        }
        self.consume(1);
        if matches!(self.peek()?, Some(b'{' | b'[' | b']') | None) {
            self.shape = Shape::List(Next::EntryOrEnd);
            return Ok(b"");
        }
        self.shape = Shape::Series;
        Ok(b"[")
    }

    /// Goes to the start of the next record; false where there is none.
    fn seek(&mut self) -> Result<bool, Problem> {
        loop {
            let byte = self.peek()?;
            let next = match (self.shape, byte) {
                (Shape::List(_), None) => {
                    self.ended = true;
                    return Err(self.misplaced("the list is not closed"));
                }
                (_, None) => return Ok(false),
                (Shape::List(Next::EntryOrEnd | Next::CommaOrEnd), Some(b']')) => Shape::Closed,
                (Shape::List(Next::CommaOrEnd), Some(b',')) => Shape::List(Next::Entry),
                (Shape::List(Next::CommaOrEnd), Some(_)) => {
                    self.ended = true;
                    return Err(self.misplaced("expected a comma or the end of the list"));
                }
                (Shape::Closed, Some(_)) => {
                    self.ended = true;
                    return Err(self.misplaced("there is more after the end of the list"));
                }
                _ => return Ok(true),
            };
            self.shape = next;
            self.consume(1);
        }
    }

    fn misplaced(&self, reason: &str) -> Problem {
        let line = self.lines + 1;
        ExchangeProblem::InvalidRecord { line, column: 1, reason: reason.to_owned() }.into()
    }

    /// Takes one record; `bytes` are those of it that were taken already.
    fn take_record(&mut self, mut bytes: Vec<u8>) -> Result<String, Problem> {
        let start = self.offset - count64(bytes.len());
        let series = self.shape == Shape::Series;
        let mut nesting = Nesting { depth: bytes.len(), ..Nesting::default() };
        let mut too_long = false;
        loop {
            let chunk = self.chunk()?;
            if chunk.is_empty() {
                break;
            }
            let (taken, ended) = nesting.pass(chunk, series);
            let part = chunk.get(..taken).unwrap_or_default();
            let lines = part.split(|byte| *byte == b'\n').count().saturating_sub(1);
            too_long = too_long || bytes.len() + part.len() > MAX_RECORD_BYTES;
            if too_long {
                bytes = Vec::new();
            } else {
                bytes.extend_from_slice(part);
            }
            self.lines += lines;
            self.consume(taken);
            if ended {
                break;
            }
        }
        if too_long {
            return Err(ExchangeProblem::RecordTooLong.into());
        }
        let record = String::from_utf8(bytes).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            Problem::InvalidUtf8(start + count64(valid))
        })?;
        if record.contains('\0') { Err(Problem::ContainsNul) } else { Ok(record) }
    }
}

impl Nesting {
    /// How many bytes of a chunk belong to the record, and whether it ends with them. In a series,
    /// a line that ends within a string, or is followed by an opening brace, ends the record too:
    /// one broken line must not take the next ones with it.
    fn pass(&mut self, chunk: &[u8], series: bool) -> (usize, bool) {
        for (position, byte) in chunk.iter().enumerate() {
            let after_line = std::mem::replace(&mut self.after_line, *byte == b'\n');
            if self.in_string {
                match byte {
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    b'"' => self.in_string = false,
                    b'\n' if series => return (position, true),
                    _ => {}
                }
                continue;
            }
            match byte {
                b'{' if series && after_line && self.depth > 0 => return (position, true),
                b'"' => self.in_string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' if self.depth <= 1 => {
                    // A closing bracket without its opening one ends a list of bare values.
                    let own = self.depth == 1 || (series && position == 0);
                    return (if own { position + 1 } else { position }, true);
                }
                b'}' | b']' => self.depth -= 1,
                b',' if self.depth == 0 && !series => return (position, true),
                b' ' | b'\t' | b'\r' | b'\n' if self.depth == 0 => return (position, true),
                _ => {}
            }
        }
        (chunk.len(), false)
    }
}

impl<R: BufRead> Iterator for Records<R> {
    type Item = NumberedRecord;

    fn next(&mut self) -> Option<NumberedRecord> {
        if self.ended {
            return None;
        }
        let mut begun: &[u8] = b"";
        if self.shape == Shape::Unknown {
            match self.open() {
                Ok(bytes) => begun = bytes,
                Err(problem) => return Some((self.lines + 1, Err(problem))),
            }
        }
        if begun.is_empty() {
            match self.seek() {
                Ok(true) => {}
                Ok(false) => {
                    self.ended = true;
                    return None;
                }
                Err(problem) => return Some((self.lines + 1, Err(problem))),
            }
        }
        let line = self.lines + 1;
        let record = self.take_record(begun.to_vec());
        if let Shape::List(_) = self.shape {
            self.shape = Shape::List(Next::CommaOrEnd);
        }
        Some((line, record))
    }
}
