//! The records of a table.

use std::io::BufRead;

use super::Delimiter;
use super::records::{Record, Records};
use crate::{Error, Problem};

/// How many bytes are read between two words on progress.
const STEP: u64 = 1 << 20;

/// The records of a file, all with the same number of columns.
pub(super) struct Table<'a, R> {
    pub(super) records: Records<R>,
    pub(super) record: Record,
    /// The number of columns of the first record, and its line.
    pub(super) shape: Option<(usize, u64)>,
    /// The number of columns of most records: what is empty behind them counts for nothing.
    pub(super) width: usize,
    pub(super) announced: u64,
    pub(super) progress: &'a mut dyn FnMut(u64),
}

impl<R: BufRead> Table<'_, R> {
    /// Reads records that are none of the table.
    pub(super) fn pass(&mut self, records: usize) -> Result<(), Error> {
        for _ in 0..records {
            self.records.next(&mut self.record)?;
        }
        Ok(())
    }

    /// Reads the record of names, which may lack one for the names of the lines.
    pub(super) fn next_head(&mut self) -> Result<(), Error> {
        self.next()?;
        if let Some((columns, _)) = &mut self.shape
            && *columns + 1 == self.width
            && matches!(self.records.delimiter(), Delimiter::Tab | Delimiter::Blank)
        {
            *columns = self.width;
        }
        Ok(())
    }

    /// Reads the next record; false at the end.
    pub(super) fn next(&mut self) -> Result<bool, Error> {
        loop {
            if !self.records.next(&mut self.record)? {
                return Ok(false);
            }
            let width = self.shape.map_or(self.width, |(columns, _)| columns);
            if self.record.len() > width && self.record.is_empty_from(width) {
                self.record.truncate(width);
            }
            let is_remark = self.record.len() != width && self.record.field(0).starts_with('#');
            if !is_remark && !self.record.is_rule() {
                break;
            }
        }
        let found = self.record.len();
        let (expected, first_line) = *self.shape.get_or_insert((found, self.record.line()));
        if found != expected {
            // The first column too many, or the last of too few.
            let index = found.min(expected + 1).saturating_sub(1);
            let problem = Problem::Columns { found, expected, first_line };
            return Err(self.record.refuse(index, problem));
        }
        if self.records.bytes() >= self.announced + STEP {
            self.announced = self.records.bytes();
            (self.progress)(self.announced);
        }
        Ok(true)
    }
}
