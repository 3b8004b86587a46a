//! How large a bundle may be.

/// The limits of a bundle. Their default fits a web server; a command line may raise them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BundleLimits {
    /// How many files and folders there may be.
    pub entries: usize,
    /// How many bytes all files may have when they are unpacked.
    pub total_bytes: u64,
    /// How many bytes one file may have when it is unpacked.
    pub file_bytes: u64,
    /// How many times its packed size a file may have, beyond its first mebibyte.
    pub ratio: u64,
    /// How many folders may be in each other.
    pub depth: usize,
    /// How many bytes a name with its folders may have.
    pub name_bytes: usize,
}

impl Default for BundleLimits {
    /// 50,000 files, 1 GiB in all, 256 MiB each, 200 times what is packed, 8 folders deep, names
    /// of 1,024 bytes.
    fn default() -> Self {
        Self {
            entries: 50_000,
            total_bytes: 1 << 30,
            file_bytes: 256 << 20,
            ratio: 200,
            depth: 8,
            name_bytes: 1024,
        }
    }
}
