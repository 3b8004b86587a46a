//! How often a reader found something of one kind.

use crate::import::findings::note::{ImportNote, Note};
use crate::import::findings::repair::Repair;

/// How often something was found, and on which line first.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Count {
    count: usize,
    first: usize,
}

impl Count {
    /// Counts one more.
    pub(crate) const fn add(&mut self, line: usize) {
        self.add_all(1, line);
    }

    /// Counts so many more, the first of them on this line.
    pub(crate) const fn add_all(&mut self, count: usize, line: usize) {
        if self.count == 0 && count > 0 {
            self.first = line;
        }
        self.count += count;
    }

    /// Whether it was found.
    pub(crate) const fn is_some(self) -> bool {
        self.count > 0
    }

    /// How often.
    pub(crate) const fn count(self) -> usize {
        self.count
    }

    /// What was repaired so often, if ever.
    pub(crate) fn note(self, file: &str, repair: Repair) -> Option<ImportNote> {
        let note = || ImportNote::new(file, Some(self.first), self.count, Note::Repaired(repair));
        (self.count > 0).then(note)
    }
}
