//! Where files come from: memory, or a disk. Each can be read more than once.

use std::io::{self, BufRead, Cursor, Seek};

/// The bytes of a file from their beginning.
pub trait Content: BufRead + Seek {}

impl<T: BufRead + Seek> Content for T {}

/// A file with its name, which may have folders.
pub trait Source: Send + Sync {
    /// The name, as people are told it.
    fn name(&self) -> &str;

    /// Begins to read it.
    fn open(&self) -> io::Result<Box<dyn Content + '_>>;
}

/// A file as it was sent.
pub struct UploadedFile {
    pub name: String,
    pub bytes: Vec<u8>,
}

impl Source for UploadedFile {
    fn name(&self) -> &str {
        &self.name
    }

    fn open(&self) -> io::Result<Box<dyn Content + '_>> {
        Ok(Box::new(Cursor::new(self.bytes.as_slice())))
    }
}
