//! One value as one line of JSON.

use std::io::{self, Write};

use serde::Serialize;

/// Writes a value as JSON without line breaks inside, and a line feed after it.
pub(crate) fn write_json_line<W: Write>(out: &mut W, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}
