//! Files to take away, in memory or on the disk.

use std::{
    fs::File,
    io::{self, Write},
};

use domain::LossForm;

use super::losses::LossLog;
use crate::{Error, Result};

/// A file to take away that may be larger than memory: it lies in the system's folder for temporary
/// files, has no name there, and goes when this does.
pub struct ExportFile {
    pub file_name: String,
    pub content_type: &'static str,
    /// At its beginning.
    pub content: File,
    /// In bytes.
    pub length: u64,
    pub documents: u64,
    pub spans: u64,
    /// How many spans and other things are missing from the file.
    pub left_out: u64,
    /// How many things are written in another way than they are.
    pub changed: u64,
    pub(super) log: LossLog,
}

impl ExportFile {
    /// Writes the content. May block.
    pub fn write_to(&mut self, out: &mut impl Write) -> Result<u64> {
        io::copy(&mut self.content, out).map_err(Error::broken)
    }

    /// Writes what the file does not hold, as a list. May block.
    pub fn write_losses(&mut self, form: LossForm, out: &mut impl Write) -> Result<()> {
        self.log.write_list(form, out)
    }
}
