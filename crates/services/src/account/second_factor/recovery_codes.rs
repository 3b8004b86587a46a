//! Recovery codes: for whoever has lost their second factor. Each works once.

use chrono::{DateTime, Utc};
use domain::{AuditEvent, UserId};
use rand::seq::IndexedRandom;
use store::Tx;

use crate::{Result, account::audit, base::secrets::token};

/// How many codes somebody gets.
const CODES: usize = 10;

/// Letters and digits that nobody takes for one another (Crockford's base 32): five bits each.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// How many of them a code has: 80 bits, which nobody guesses from a hash.
const LETTERS: usize = 16;

/// Gives an account new codes.
pub(super) async fn replace(tx: &Tx, user: UserId, now: DateTime<Utc>) -> Result<Vec<String>> {
    let codes: Vec<String> = (0..CODES).map(|_| generate()).collect();
    let hashes: Vec<_> = codes.iter().map(|code| hash(code)).collect();
    store::account::second_factors::set_recovery_codes(tx, user, &hashes, now).await?;
    audit(tx, Some(user), now, AuditEvent::MakeRecoveryCodes, user).await?;
    Ok(codes)
}

/// A new code, as "xxxx-xxxx-xxxx-xxxx".
fn generate() -> String {
    let mut random = rand::rng();
    let letters: Vec<_> =
        (0..LETTERS).filter_map(|_| ALPHABET.choose(&mut random)).copied().collect();
    let parts: Vec<_> = letters.chunks(4).map(String::from_utf8_lossy).collect();
    parts.join("-")
}

/// What is stored of a code, however it is typed.
pub(super) fn hash(code: &str) -> String {
    let typed =
        code.chars().filter(char::is_ascii_alphanumeric).map(|c| match c.to_ascii_lowercase() {
            'o' => '0',
            'i' | 'l' => '1',
            c => c,
        });
    token::hash(&typed.collect::<String>())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn codes_never_repeat_and_are_known_however_they_are_typed() {
        let codes: BTreeSet<_> = (0..1_000).map(|_| generate()).collect();
        assert_eq!(codes.len(), 1_000);
        for code in &codes {
            assert_eq!(code.len(), 19);
            assert!(code.split('-').all(|part| part.len() == 4));
            let typed = code.replace('-', " ").replace('0', "O").replace('1', "l").to_uppercase();
            assert_eq!(hash(&typed), hash(code));
        }
        let used: BTreeSet<_> = codes.iter().flat_map(|code| code.bytes()).collect();
        assert_eq!(used.len(), 33, "all letters, and the dash");
        assert_ne!(hash("0000-0000-0000-0000"), hash("0000-0000-0000-0001"));
    }
}
