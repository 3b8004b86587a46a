//! The beginning of a file, read ahead to see what it looks like.

use std::io::{BufRead, Chain, Cursor, Read};

use super::{Delimiter, Record, Records};
use crate::{Error, Problem, Refusal};

/// How much of the file is looked at.
const MOST_BYTES: usize = 1 << 16;
/// How many records are looked at.
const MOST_ROWS: usize = 200;

/// The first bytes of a file.
pub(crate) struct Sample {
    bytes: Vec<u8>,
    whole: bool,
}

/// A file from its start, after some of it was read.
type Again<R> = Chain<Cursor<Vec<u8>>, R>;

impl Sample {
    /// Takes the sample; the second answer is the file from its start again.
    pub(crate) fn read<R: BufRead>(mut input: R) -> Result<(Self, Again<R>), Error> {
        let mut bytes = Vec::new();
        let whole = loop {
            let buffer = input.fill_buf().map_err(Error::Read)?;
            if buffer.is_empty() {
                break true;
            }
            let (length, room) = (buffer.len(), MOST_BYTES - bytes.len());
            bytes.extend(buffer.iter().take(room));
            input.consume(length.min(room));
            if bytes.len() == MOST_BYTES {
                break false;
            }
        };
        if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
            return Err(Refusal { place: None, problem: Problem::Utf16 }.into());
        }
        let again = Cursor::new(bytes.clone()).chain(input);
        Ok((Self { bytes, whole }, again))
    }

    /// The delimiter, unless it is known, and the first records.
    ///
    /// The delimiter is the one that gives most records the same number of columns, more than
    /// one; of equals the rarer in text: tab, then semicolon, then comma.
    pub(crate) fn shape(
        &self,
        known: Option<Delimiter>,
    ) -> Result<(Delimiter, Vec<Vec<String>>), Error> {
        let candidates = match known {
            Some(delimiter) => vec![delimiter],
            None => vec![Delimiter::Tab, Delimiter::Semicolon, Delimiter::Comma],
        };
        let mut best = (Delimiter::Comma, Vec::new(), 0);
        for delimiter in candidates {
            let rows = self.rows(delimiter);
            let even = evenness(&rows);
            if even > best.2 || known.is_some() {
                best = (delimiter, rows, even);
            }
        }
        let (delimiter, mut rows, even) = best;
        if even == 0 && rows.is_empty() {
            rows = self.rows(delimiter);
        }
        if rows.is_empty() {
            // Either there is nothing, or the first record already is wrong: it is said why.
            Records::new(self.bytes.as_slice(), delimiter).next(&mut Record::default())?;
            return Err(Refusal { place: None, problem: Problem::Empty }.into());
        }
        Ok((delimiter, rows))
    }

    fn rows(&self, delimiter: Delimiter) -> Vec<Vec<String>> {
        let mut records = Records::new(self.bytes.as_slice(), delimiter);
        let mut record = Record::default();
        let mut rows = Vec::new();
        // A mistake is reported when the file is read.
        while rows.len() < MOST_ROWS && records.next(&mut record).is_ok_and(|more| more) {
            rows.push(record.texts());
        }
        if !self.whole && rows.len() > 1 && rows.len() < MOST_ROWS {
            // The sample may end within the last one.
            rows.pop();
        }
        rows
    }
}

/// How many of a thousand records have the most frequent number of columns, if it is above one.
fn evenness(rows: &[Vec<String>]) -> usize {
    let counts: Vec<usize> = rows.iter().map(Vec::len).collect();
    let most = counts
        .iter()
        .filter(|&&count| count > 1)
        .map(|count| counts.iter().filter(|other| *other == count).count())
        .max();
    most.unwrap_or(0) * 1000 / rows.len().max(1)
}
