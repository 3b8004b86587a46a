//! Records of CSV as spreadsheets have them (RFC 4180), one at a time.

use std::io::Write;

use csv::{Terminator, WriterBuilder};

use crate::export::error::ExportError;

pub(crate) fn write_record<W: Write>(
    out: &mut W,
    cells: impl Iterator<Item = String>,
) -> Result<(), ExportError> {
    let mut record =
        WriterBuilder::new().terminator(Terminator::CRLF).buffer_capacity(1024).from_writer(out);
    for cell in cells {
        record.write_field(cell.as_bytes()).map_err(std::io::Error::from)?;
    }
    record.write_record(None::<&[u8]>).map_err(std::io::Error::from)?;
    Ok(record.flush()?)
}
