//! Secrets of sessions, invitations and other links: random, shown once, kept as a hash.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use rand::RngCore;
use sha2::{Digest, Sha256};

/// A new token of 256 random bits, fit for a URL.
pub(crate) fn generate() -> String {
    let mut bytes = [0; 32];
    rand::rng().fill_bytes(&mut bytes);
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

/// What is stored of a token: with 256 random bits in it, one round of SHA-256 is enough.
pub(crate) fn hash(token: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(token))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_256_bits_and_never_repeat() {
        let (first, second) = (generate(), generate());
        assert_eq!(BASE64_URL_SAFE_NO_PAD.decode(&first).unwrap().len(), 32);
        assert_ne!(first, second);
    }

    #[test]
    fn the_hash_is_sha_256_and_does_not_show_the_token() {
        assert_eq!(hash("abc"), "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
    }
}
