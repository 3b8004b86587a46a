//! Records of delimited text, one at a time, each field with its place.
//!
//! The rules are those of RFC 4180 with any delimiter, but strict where leniency would hide a
//! mistake: a quote that is never closed, or text behind a closing one, is an error with its
//! place. (The crate `csv` accepts both in silence, and keeps no columns; the tests compare with
//! it wherever it is right.)

use std::io::BufRead;

use super::Delimiter;
use crate::{Error, Place, Problem, Refusal, count64};

/// The most bytes of one record; a quote that is never closed must not take the memory.
const MOST_BYTES: usize = 1 << 20;

/// Reads records, and counts lines and bytes.
pub(crate) struct Records<R> {
    input: R,
    delimiter: Delimiter,
    lines: u64,
    bytes: u64,
}

/// One record; it is read into again and again.
#[derive(Default)]
pub(crate) struct Record {
    /// The bytes as they stand in the file, without the end of the last line.
    raw: Vec<u8>,
    /// The first of its lines.
    line: u64,
    text: String,
    fields: Vec<Field>,
}

/// A field: where its text is, and where it begins in the file.
#[derive(Clone, Copy)]
struct Field {
    start: usize,
    end: usize,
    raw: usize,
    quoted: bool,
}

impl<R: BufRead> Records<R> {
    pub(crate) fn new(input: R, delimiter: Delimiter) -> Self {
        Self { input, delimiter, lines: 0, bytes: 0 }
    }

    /// What stands between fields.
    pub(super) fn delimiter(&self) -> Delimiter {
        self.delimiter
    }

    /// How many bytes were taken in.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Reads the next record that is not a blank line; false at the end.
    pub(crate) fn next(&mut self, record: &mut Record) -> Result<bool, Error> {
        loop {
            record.raw.clear();
            record.line = self.lines + 1;
            let ended = self.take_line(record)?;
            if self.lines == 1 && record.raw.starts_with(b"\xEF\xBB\xBF") {
                record.raw.drain(..3);
            }
            if record.raw.iter().any(|&byte| byte != b' ') {
                break;
            }
            if ended == Ended::File {
                return Ok(false);
            }
        }
        if self.delimiter == Delimiter::Pipe && record.raw.starts_with(b"|") {
            // So tables of Markdown have it.
            record.raw.remove(0);
        }
        let bytes = if record.raw.contains(&b'"') {
            self.split_quoted(record)?
        } else {
            split(record, self.delimiter.byte());
            record.raw.clone()
        };
        if self.delimiter == Delimiter::Blank {
            record.fields.retain(|field| field.quoted || field.start < field.end);
        }
        record.text = String::from_utf8(bytes).map_err(|_| record.not_utf8())?;
        Ok(true)
    }

    /// Adds a line to the record, without its end.
    fn take_line(&mut self, record: &mut Record) -> Result<Ended, Error> {
        let before = record.raw.len();
        loop {
            let buffer = self.input.fill_buf().map_err(Error::Read)?;
            if buffer.is_empty() {
                let is_line = record.raw.len() > before;
                self.lines += u64::from(is_line);
                return Ok(Ended::File);
            }
            let end = buffer.iter().position(|&byte| byte == b'\n' || byte == b'\r');
            let (line, ending) = buffer.split_at(end.unwrap_or(buffer.len()));
            record.raw.extend_from_slice(line);
            if record.raw.len() > MOST_BYTES {
                return Err(record.refusal(0, Problem::LineTooLong));
            }
            let ended = match ending.first() {
                Some(b'\r') => Some(Ended::Return),
                Some(_) => Some(Ended::Newline),
                None => None,
            };
            let taken = line.len() + usize::from(ended.is_some());
            self.consume(taken);
            match ended {
                None => {}
                Some(Ended::Return) => {
                    self.lines += 1;
                    let next = self.input.fill_buf().map_err(Error::Read)?;
                    if next.first() == Some(&b'\n') {
                        self.consume(1);
                        return Ok(Ended::Both);
                    }
                    return Ok(Ended::Return);
                }
                Some(ended) => {
                    self.lines += 1;
                    return Ok(ended);
                }
            }
        }
    }

    fn consume(&mut self, bytes: usize) {
        self.input.consume(bytes);
        self.bytes += count64(bytes);
    }

    /// Splits a record with quotes in it, reading on where a line ends inside of them; the answer
    /// is the text of all fields.
    fn split_quoted(&mut self, record: &mut Record) -> Result<Vec<u8>, Error> {
        let delimiter = self.delimiter.byte();
        let mut text = Vec::with_capacity(record.raw.len());
        let mut at = 0;
        record.fields.clear();
        loop {
            let (raw, start) = (at, text.len());
            let quoted = record.raw.get(at) == Some(&b'"');
            if quoted {
                at += 1;
                loop {
                    match (record.raw.get(at), record.raw.get(at + 1)) {
                        (Some(b'"'), Some(b'"')) => {
                            text.push(b'"');
                            at += 2;
                        }
                        (Some(b'"'), _) => break,
                        (Some(&byte), _) => {
                            text.push(byte);
                            at += 1;
                        }
                        (None, _) => self.read_on(record, raw)?,
                    }
                }
                at += 1;
                while record.raw.get(at).is_some_and(|&byte| byte == b' ' && byte != delimiter) {
                    at += 1;
                }
                if record.raw.get(at).is_some_and(|&byte| byte != delimiter) {
                    let rest = record.raw.get(at..).unwrap_or_default();
                    let found = String::from_utf8_lossy(rest).chars().next().unwrap_or(' ');
                    let delimiter = self.delimiter.name();
                    return Err(record.refusal(at, Problem::AfterQuote { found, delimiter }));
                }
            } else {
                let rest = record.raw.get(at..).unwrap_or_default();
                let length = rest.iter().position(|&byte| byte == delimiter).unwrap_or(rest.len());
                text.extend(rest.iter().take(length));
                at += length;
            }
            record.fields.push(Field { start, end: text.len(), raw, quoted });
            if at >= record.raw.len() {
                return Ok(text);
            }
            at += 1;
        }
    }

    /// Adds the next line to a record that ends inside of the quotes that open at `opening`.
    fn read_on(&mut self, record: &mut Record, opening: usize) -> Result<(), Error> {
        let (lines, end) = (self.lines, record.raw.len());
        // What ended the line before belongs to the field; a lone `\r` is as good as a newline.
        record.raw.push(b'\n');
        self.take_line(record)?;
        if self.lines == lines && record.raw.len() == end + 1 {
            return Err(record.refusal(opening, Problem::UnclosedQuote));
        }
        Ok(())
    }
}

/// How a line ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    Newline,
    Return,
    Both,
    File,
}

/// Splits a record without any quote.
fn split(record: &mut Record, delimiter: u8) {
    record.fields.clear();
    let mut start = 0;
    for part in record.raw.split(|&byte| byte == delimiter) {
        let end = start + part.len();
        record.fields.push(Field { start, end, raw: start, quoted: false });
        start = end + 1;
    }
}

impl Record {
    /// The first line of the record.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// How many fields there are.
    pub(crate) fn len(&self) -> usize {
        self.fields.len()
    }

    /// The text of a field; white space around it counts only inside of quotes.
    pub(crate) fn field(&self, index: usize) -> &str {
        let Some(field) = self.fields.get(index) else { return "" };
        let text = self.text.get(field.start..field.end).unwrap_or_default();
        if field.quoted { text } else { text.trim() }
    }

    /// True if the fields from this one on are empty.
    pub(super) fn is_empty_from(&self, index: usize) -> bool {
        (index..self.len()).all(|index| self.field(index).is_empty())
    }

    /// Leaves out the fields from this one on.
    pub(super) fn truncate(&mut self, index: usize) {
        self.fields.truncate(index);
    }

    /// True if this is a line below a heading in Markdown.
    pub(super) fn is_rule(&self) -> bool {
        let is_rule =
            |field: &str| field.len() > 1 && field.bytes().all(|byte| b"-:".contains(&byte));
        self.len() > 1
            && (0..self.len())
                .all(|index| self.field(index).is_empty() || is_rule(self.field(index)))
            && !self.is_empty_from(0)
    }

    /// The texts of all fields.
    pub(crate) fn texts(&self) -> Vec<String> {
        (0..self.len()).map(|index| self.field(index).to_owned()).collect()
    }

    /// Where a field begins.
    pub(crate) fn place(&self, index: usize) -> Place {
        self.place_of_byte(self.begin(index))
    }

    /// The byte at which a field begins.
    fn begin(&self, index: usize) -> usize {
        let Some(field) = self.fields.get(index).or(self.fields.last()) else { return 0 };
        if field.quoted {
            return field.raw;
        }
        let rest = self.raw.get(field.raw..).unwrap_or_default();
        field.raw + rest.iter().take_while(|&&byte| byte == b' ').count()
    }

    /// Where each field begins, in one pass.
    pub(super) fn places(&self) -> Vec<Place> {
        let (mut byte, mut line, mut column) = (0, self.line, 1);
        let place = |index| {
            let begin = self.begin(index);
            let between = self.raw.get(byte..begin).unwrap_or_default();
            let mut lines = between.rsplit(|&byte| byte == b'\n');
            let characters = String::from_utf8_lossy(lines.next().unwrap_or_default());
            let characters = count64(characters.chars().count());
            let ended = count64(lines.count());
            column = if ended > 0 { 1 } else { column } + characters;
            line += ended;
            byte = begin;
            Place { line, column }
        };
        (0..self.len()).map(place).collect()
    }

    /// What is wrong with a field.
    pub(crate) fn refuse(&self, index: usize, problem: Problem) -> Error {
        Refusal { place: Some(self.place(index)), problem }.into()
    }

    fn refusal(&self, byte: usize, problem: Problem) -> Error {
        Refusal { place: Some(self.place_of_byte(byte)), problem }.into()
    }

    fn place_of_byte(&self, byte: usize) -> Place {
        let before = self.raw.get(..byte).unwrap_or(&self.raw);
        let lines = before.split(|&byte| byte == b'\n').count();
        let last = before.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        let characters = String::from_utf8_lossy(last).chars().count();
        Place {
            line: self.line + count64(lines.saturating_sub(1)),
            column: count64(characters) + 1,
        }
    }

    fn not_utf8(&self) -> Error {
        let wrong = std::str::from_utf8(&self.raw).err().map_or(0, |error| error.valid_up_to());
        let byte = self.raw.get(wrong).copied().unwrap_or_default();
        self.refusal(wrong, Problem::NotUtf8 { byte })
    }
}

#[cfg(test)]
mod tests {
    use super::{Record, Records};
    use crate::read::Delimiter;

    #[test]
    fn all_places_are_those_of_single_fields() {
        let text = "\u{e9},\"b\n\u{fc}\", c,,\" d\"\n";
        let mut record = Record::default();
        Records::new(text.as_bytes(), Delimiter::Comma).next(&mut record).unwrap();
        let single: Vec<_> = (0..record.len()).map(|index| record.place(index)).collect();
        assert_eq!(record.len(), 5);
        assert_eq!(record.places(), single);
    }
}
