//! Where files come from: memory, or a disk. Each can be read more than once.

use domain::saturating;
use std::{
    fs::File,
    io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom},
    os::unix::fs::FileExt,
    sync::Arc,
};

/// The bytes of a file from their beginning.
pub trait Content: BufRead + Seek {}

impl<T: BufRead + Seek> Content for T {}

/// A file with its name, which may have folders.
pub trait Source: Send + Sync {
    /// The name, as people are told it.
    fn name(&self) -> &str;

    /// How many bytes it has.
    fn length(&self) -> u64;

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

    fn length(&self) -> u64 {
        saturating::<u64>(self.bytes.len())
    }

    fn open(&self) -> io::Result<Box<dyn Content + '_>> {
        Ok(Box::new(Cursor::new(self.bytes.as_slice())))
    }
}

/// A file as it was sent, kept on the disk together with the others of its request.
pub struct SpooledFile {
    pub name: String,
    pub file: Arc<File>,
    /// Where it begins.
    pub at: u64,
    pub length: u64,
}

impl Source for SpooledFile {
    fn name(&self) -> &str {
        &self.name
    }

    fn length(&self) -> u64 {
        self.length
    }

    fn open(&self) -> io::Result<Box<dyn Content + '_>> {
        let Self { file, at, length, .. } = self;
        Ok(Box::new(BufReader::new(FileSlice { file, at: *at, length: *length, position: 0 })))
    }
}

/// A part of a file, read without regard to where others read it.
struct FileSlice<'a> {
    file: &'a File,
    at: u64,
    length: u64,
    position: u64,
}

impl Read for FileSlice<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = saturating::<usize>(self.length.saturating_sub(self.position));
        let most = left.min(buffer.len());
        let Some(buffer) = buffer.get_mut(..most) else { return Ok(0) };
        let read = self.file.read_at(buffer, self.at + self.position)?;
        self.position += u64::try_from(read).unwrap_or(0);
        Ok(read)
    }
}

impl Seek for FileSlice<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(offset) => self.length.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
        };
        self.position = position.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_spooled_file_is_read_by_itself_and_more_than_once() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"one file, another one").unwrap();
        let file = Arc::new(file);
        let of =
            |at, length| SpooledFile { name: "n".to_owned(), file: Arc::clone(&file), at, length };
        let (one, other) = (of(0, 8), of(10, 11));
        for _ in 0..2 {
            for (file, text) in [(&one, "one file"), (&other, "another one")] {
                let mut content = file.open().unwrap();
                let mut read = String::new();
                content.read_to_string(&mut read).unwrap();
                assert_eq!(read, text);
                content.seek(SeekFrom::End(-3)).unwrap();
                read.clear();
                content.read_to_string(&mut read).unwrap();
                assert_eq!(read, text[text.len() - 3..]);
            }
        }
        assert!(one.open().unwrap().seek(SeekFrom::End(-9)).is_err());
    }
}
