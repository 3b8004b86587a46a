//! How much is read at a time, so that no file fills the memory.

/// The longest line that is read, in bytes without its line end: 8 MiB.
pub const MAX_LINE_BYTES: usize = 8 * 1024 * 1024;

/// The longest text of one document that is read, in bytes of UTF-8: 8 MiB.
pub const MAX_DOCUMENT_BYTES: usize = 8 * 1024 * 1024;

/// The longest record that is read, such as a task of a list or an element of XML: 12 MiB.
pub const MAX_RECORD_BYTES: usize = 12 * 1024 * 1024;

/// A count or an offset as files and messages have it: no machine counts further.
pub(crate) fn count64(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
