//! Which sequence each item belongs to, as one column says.

use std::collections::HashMap;

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
    /// The item that each rater had last in each sequence.
    last: HashMap<(usize, usize), usize>,
}

impl SequenceColumn {
    pub(in crate::read) fn new(column: usize) -> Self {
        Self { column, names: Names::default(), of_items: Vec::new(), last: HashMap::new() }
    }

    /// Reads where an item belongs; one that came before has to belong there still. Items are in the order in
    /// which they come first, which has to be the order of each rater's lines: it is what a sequence is.
    pub(in crate::read) fn read(
        &mut self,
        record: &Record,
        (item_column, item): (usize, usize),
        rater: usize,
    ) -> Result<(), Error> {
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
        if self.last.insert((rater, sequence), item).is_some_and(|last| last > item) {
            let item = record.field(item_column).to_owned();
            return Err(record.refuse(item_column, Problem::OutOfOrder(item)));
        }
        Ok(())
    }

    pub(in crate::read) fn sequences(self) -> Sequences {
        Sequences::of(self.of_items)
    }
}
