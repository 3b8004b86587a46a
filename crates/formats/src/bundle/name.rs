//! Names of files that somebody else chose.

use std::collections::HashSet;

use unicode_normalization::UnicodeNormalization;

use crate::bundle::limits::BundleLimits;
use crate::problem::bundle::BundleProblem;

/// The names seen so far.
#[derive(Debug, Default)]
pub(super) struct Names(HashSet<String>);

impl Names {
    /// The name with `/` between folders, if it can be one and is not there yet. Names that
    /// differ by Unicode normalisation only are the same: some systems write `é` as two.
    pub(super) fn check(
        &mut self,
        name: &str,
        limits: &BundleLimits,
    ) -> Result<String, BundleProblem> {
        if name.len() > limits.name_bytes {
            return Err(BundleProblem::NameTooLong(limits.name_bytes));
        }
        if name.contains(char::is_control) {
            return Err(BundleProblem::NameControl);
        }
        let name = name.replace('\\', "/");
        let mut start = name.chars();
        let drive = start.next().is_some_and(|letter| letter.is_ascii_alphabetic())
            && start.next() == Some(':');
        if name.starts_with('/') || drive {
            return Err(BundleProblem::NameAbsolute);
        }
        let parts: Vec<&str> = name.split('/').filter(|part| *part != ".").collect();
        if parts.contains(&"..") {
            return Err(BundleProblem::NameTraversal);
        }
        if parts.is_empty() || parts.iter().any(|part| part.trim().is_empty()) {
            return Err(BundleProblem::NameEmpty);
        }
        if parts.len() > limits.depth + 1 {
            return Err(BundleProblem::TooDeep(limits.depth));
        }
        let name = parts.join("/");
        if self.0.insert(name.nfc().collect()) { Ok(name) } else { Err(BundleProblem::Duplicate) }
    }
}

/// Whether systems and editors leave such a file behind.
pub(super) fn is_clutter(path: &str) -> bool {
    let mut parts = path.split('/').peekable();
    let hidden = parts.any(|part| part.starts_with('.') || part == "__MACOSX");
    let passed_over = |name| name == "Thumbs.db" || name == "desktop.ini";
    hidden || path.rsplit('/').next().is_some_and(passed_over)
}

/// Whether the name is an archive's.
pub(super) fn is_archive(path: &str) -> bool {
    const ARCHIVES: [&str; 10] =
        ["zip", "gz", "tgz", "tar", "bz2", "xz", "zst", "7z", "rar", "jar"];
    let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    extension.is_some_and(|extension| ARCHIVES.contains(&extension.as_str()))
}

/// Whether the bytes begin as those of a spreadsheet or a text of an office program, which is a zip inside.
///
/// ```
/// assert!(formats::is_office_file(b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x13\0\0\0[Content_Types].xml"));
/// ```
pub fn is_office_file(beginning: &[u8]) -> bool {
    const NAME_LENGTH: usize = 26;
    const NAME: usize = 30;
    if !beginning.starts_with(b"PK\x03\x04") {
        return false;
    }
    let length = match beginning.get(NAME_LENGTH..NAME_LENGTH + 2) {
        Some([low, high]) => usize::from(u16::from_le_bytes([*low, *high])),
        _ => return false,
    };
    let name = beginning.get(NAME..NAME + length).unwrap_or_default();
    let content = beginning.get(NAME + length..).unwrap_or_default();
    match name {
        b"[Content_Types].xml" | b"_rels/.rels" => true,
        b"mimetype" => content.starts_with(b"application/vnd.oasis.opendocument"),
        name => [&b"xl/"[..], b"word/", b"docProps/"].iter().any(|it| name.starts_with(it)),
    }
}

/// Whether the bytes begin as an archive's do.
pub(super) fn begins_archive(bytes: &[u8]) -> bool {
    const BEGINNINGS: [&[u8]; 7] = [
        b"PK\x03\x04",
        b"PK\x05\x06",
        b"\x1F\x8B\x08",
        b"7z\xBC\xAF\x27\x1C",
        b"Rar!\x1A\x07",
        b"\xFD7zXZ\0",
        b"\x28\xB5\x2F\xFD",
    ];
    BEGINNINGS.iter().any(|beginning| bytes.starts_with(beginning))
}
