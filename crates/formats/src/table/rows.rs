//! The records of a table, each with the line that it begins on.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::BufRead;

use csv::{ByteRecord, ReaderBuilder};

use crate::problem::Problem;
use crate::table::capped::Capped;

/// A record, or why it cannot be read, with its line.
pub(super) type RowResult = Result<(ByteRecord, usize), (Problem, usize)>;

/// Reads one record after the other.
#[derive(Debug)]
pub(super) struct Rows<R> {
    reader: csv::Reader<Capped<R>>,
    /// What parts the cells.
    pub(super) delimiter: u8,
}

impl<R: BufRead> Rows<R> {
    /// Those of comma-separated values; or of semicolons, as spreadsheets write it where the comma
    /// parts whole numbers from fractions: the head tells.
    pub(super) fn of_values(mut reader: R) -> Self {
        // What cannot be read is told when the rows are.
        let delimiter = delimiter(reader.fill_buf().unwrap_or_default());
        Self::new(reader, delimiter)
    }

    pub(super) fn new(reader: R, delimiter: u8) -> Self {
        let mut builder = ReaderBuilder::new();
        let rows = builder.has_headers(false).flexible(true).delimiter(delimiter);
        Self { reader: rows.from_reader(Capped::new(reader, delimiter)), delimiter }
    }

    /// The next record; none at the end of the file. After one that cannot be read nothing can.
    pub(super) fn read(&mut self) -> Option<RowResult> {
        let mut record = ByteRecord::new();
        self.reader.get_mut().start_record();
        let next_line = usize::try_from(self.reader.position().line()).unwrap_or(1);
        match self.reader.read_byte_record(&mut record) {
            Ok(true) => {
                let position = record.position().map(csv::Position::line);
                let line = position.and_then(|line| usize::try_from(line).ok());
                Some(Ok((record, line.unwrap_or(next_line))))
            }
            Ok(false) => None,
            Err(error) => Some(Err((self.reader.get_ref().problem(&error), next_line))),
        }
    }
}

/// What tells a document of a table that has ended from others.
pub(super) fn hash(document: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    document.hash(&mut hasher);
    hasher.finish()
}

/// What parts the cells of a file that begins so.
pub(super) fn delimiter(beginning: &[u8]) -> u8 {
    let head = beginning.split(|byte| *byte == b'\n').next().unwrap_or_default();
    if head.contains(&b';') && !head.contains(&b',') { b';' } else { b',' }
}
