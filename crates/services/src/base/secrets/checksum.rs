//! What tells whether bytes are the same as before.

use std::{
    fmt::Write,
    io::{self, Read},
};

use sha2::{Digest as _, Sha256};

/// A SHA-256.
pub(crate) type Digest = [u8; 32];

/// The SHA-256 of some bytes.
pub(crate) fn digest(bytes: impl AsRef<[u8]>) -> Digest {
    Sha256::digest(bytes).into()
}

/// The SHA-256 of some bytes in hexadecimal digits.
pub fn checksum(bytes: impl AsRef<[u8]>) -> String {
    in_digits(&digest(bytes))
}

/// The SHA-256 of what is read to its end, in hexadecimal digits.
pub(crate) fn checksum_of(mut content: impl Read) -> io::Result<String> {
    let mut hash = Sha256::new();
    io::copy(&mut content, &mut hash)?;
    let digest: Digest = hash.finalize().into();
    Ok(in_digits(&digest))
}

/// Bytes in hexadecimal digits.
pub(crate) fn in_digits(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}
