//! What tells whether bytes are the same as before.

use sha2::{Digest, Sha256};

/// The SHA-256 of some bytes in hexadecimal digits.
pub(crate) fn checksum(bytes: impl AsRef<[u8]>) -> String {
    format!("{:x}", Sha256::digest(bytes))
}
