//! Which sequence each item belongs to, as one column says.

use agreement::consensus::Sequences;

use super::names::Names;
use crate::read::records::Record;
use crate::{Error, Problem};

/// The column, and what it said so far.
pub(in crate::read) struct SequenceColumn {
    column: usize,
    names: Names,
    /// Of each item, in the order in which they come.
    of_items: Vec<usize>,
}

impl SequenceColumn {
    pub(in crate::read) fn new(column: usize) -> Self {
        Self { column, names: Names::default(), of_items: Vec::new() }
    }

    /// Reads where an item belongs; one that came before has to belong there still.
    pub(in crate::read) fn read(&mut self, record: &Record, item: usize) -> Result<(), Error> {
        let name = record.field(self.column);
        if name.is_empty() {
            return Err(record.refuse(self.column, Problem::Missing("sequence")));
        }
        let sequence = self.names.place(name);
        match self.of_items.get(item) {
            None => self.of_items.push(sequence),
            Some(&before) if before != sequence => {
                return Err(record.refuse(self.column, Problem::OtherSequence(name.to_owned())));
            }
            Some(_) => {}
        }
        Ok(())
    }

    pub(in crate::read) fn sequences(self) -> Sequences {
        Sequences::of(self.of_items)
    }
}
