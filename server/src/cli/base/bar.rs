//! How far something is, in a line on standard error if that is a terminal.

use std::io::{IsTerminal, Write, stderr};

pub(in crate::cli) struct Bar {
    is_shown: bool,
}

impl Bar {
    pub(in crate::cli) fn new() -> Self {
        Self { is_shown: stderr().is_terminal() }
    }

    pub(in crate::cli) fn clear(&self) {
        self.show("");
    }

    /// Puts a line in the place of the one before. Who does not see it misses nothing.
    pub(in crate::cli) fn show(&self, line: &str) {
        if self.is_shown {
            drop(write!(stderr(), "\r{line}\x1b[K"));
        }
    }
}
