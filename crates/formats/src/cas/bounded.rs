//! Readers that stop before one part of a file fills the memory.

use std::io::{self, BufRead, Read};

/// Counts lines, and refuses to give more than so many bytes before it is told to go on.
#[derive(Debug)]
pub(super) struct Bounded<R> {
    reader: R,
    most: usize,
    left: usize,
    lines: usize,
    /// Whether it has refused.
    pub(super) exceeded: bool,
}

impl<R: BufRead> Bounded<R> {
    pub(super) const fn new(reader: R, most: usize) -> Self {
        Self { reader, most, left: most, lines: 0, exceeded: false }
    }

    /// Starts a new part, and gives the line, counted from 1, on which it starts.
    pub(super) const fn next_part(&mut self) -> usize {
        self.left = self.most;
        self.lines + 1
    }
}

impl<R: BufRead> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut chunk = self.fill_buf()?;
        let count = chunk.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Bounded<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let chunk = self.reader.fill_buf()?;
        if !chunk.is_empty() && self.left == 0 {
            self.exceeded = true;
            return Err(io::Error::other("too long"));
        }
        Ok(chunk.get(..self.left).unwrap_or(chunk))
    }

    fn consume(&mut self, count: usize) {
        if let Ok(chunk) = self.reader.fill_buf() {
            let passed = chunk.iter().take(count);
            self.lines += passed.filter(|byte| **byte == b'\n').count();
        }
        self.reader.consume(count);
        self.left = self.left.saturating_sub(count);
    }
}

/// Passes JSON on, and refuses a string that is longer than allowed.
#[derive(Debug)]
pub(super) struct ShortStrings<R> {
    reader: R,
    most: usize,
    length: usize,
    in_string: bool,
    escaped: bool,
    /// Whether it has refused.
    pub(super) exceeded: bool,
}

impl<R: BufRead> ShortStrings<R> {
    pub(super) const fn new(reader: R, most: usize) -> Self {
        Self { reader, most, length: 0, in_string: false, escaped: false, exceeded: false }
    }

    /// Follows the bytes that are given out; false where a string is too long.
    fn follow(&mut self, bytes: &[u8]) -> bool {
        for byte in bytes {
            if !self.in_string {
                self.in_string = *byte == b'"';
                self.length = 0;
                continue;
            }
            self.length += 1;
            if self.length > self.most {
                return false;
            }
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
        }
        true
    }
}

impl<R: BufRead> Read for ShortStrings<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        if self.follow(buffer.get(..count).unwrap_or_default()) {
            return Ok(count);
        }
        self.exceeded = true;
        Err(io::Error::other("too long"))
    }
}
