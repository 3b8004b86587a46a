//! What a message repeats of a file, shortened.

use std::fmt;

/// The longest stretch of a file that a message repeats, in characters.
const SHOWN: usize = 60;

/// At most [`SHOWN`] characters of what a file says, so that no message is as long as a line.
pub(crate) fn shorten(value: &str) -> String {
    match value.char_indices().nth(SHOWN) {
        Some((byte, _)) => format!("{}…", value.get(..byte).unwrap_or_default()),
        None => value.to_owned(),
    }
}

/// A value in quotation marks, shortened.
pub(crate) struct Quoted<'value>(pub(crate) &'value str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "\"{}\"", shorten(self.0))
    }
}
