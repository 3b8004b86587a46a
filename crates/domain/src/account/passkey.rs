//! Passkeys: what somebody signs in with in the place of a password.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{Error, PasskeyId, check_name};

/// How many passkeys somebody may have.
pub const MOST_PASSKEYS: usize = 20;

/// A passkey of one's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnPasskey {
    pub id: PasskeyId,
    /// What its owner calls it.
    pub name: String,
    pub created_at: DateTime<Utc>,
    pub last_used_at: Option<DateTime<Utc>>,
}

/// What a browser needs to make or to use a passkey.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PasskeyRequest {
    /// What the browser asks the device for, as JSON, in the words of `WebAuthn`.
    pub options: String,
    /// What the server has to see again with the answer; sealed.
    pub state: String,
}

/// What somebody calls a passkey; the name that the browser suggests if they call it nothing.
pub fn checked_passkey_name(typed: &str, suggested: &str) -> Result<String, Error> {
    let name = check_name("name", "a passkey's name", typed, 0..=100)?;
    Ok(match (name.is_empty(), suggested.is_empty()) {
        (false, _) => name,
        (true, false) => suggested.to_owned(),
        (true, true) => "Passkey".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::checked_passkey_name;

    #[test]
    fn a_passkey_is_called_what_its_owner_says_or_by_its_browser() {
        assert_eq!(checked_passkey_name(" My key ", "Firefox").unwrap(), "My key");
        assert_eq!(checked_passkey_name(" ", "Firefox on Linux").unwrap(), "Firefox on Linux");
        assert_eq!(checked_passkey_name("", "").unwrap(), "Passkey");
        for wrong in ["a\u{202e}b".to_owned(), "a".repeat(101)] {
            assert!(checked_passkey_name(&wrong, "").is_err(), "{wrong}");
        }
    }
}
