//! Where what is sent to a webhook goes, and the signature that proves where it comes from.

use domain::{Code, Error as Refusal};
use hmac::{Hmac, Mac};
use sha2::Sha256;

use super::destinations::Destinations;
use crate::{Error, Result};

/// The longest address that is taken.
const LONGEST_URL: usize = 2_000;

/// The signature of a body that is sent at a time in Unix seconds: HMAC-SHA-256 of
/// `<time>.<body>` in hexadecimal digits, after the name of the scheme.
pub(super) fn signature(secret: &str, time: i64, body: &str) -> Result<String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).map_err(Error::broken)?;
    mac.update(time.to_string().as_bytes());
    mac.update(b".");
    mac.update(body.as_bytes());
    Ok(format!("v1={:x}", mac.finalize().into_bytes()))
}

/// An address that a webhook can have: of the web, with no password in it, and not one inside. Where a
/// name leads is seen when something is sent.
pub(super) fn checked_url(url: &str, destinations: &Destinations) -> Result<String, Refusal> {
    let refused = |why: &str| Err(Code::Malformed.of("url", why));
    let Ok(parsed) = reqwest::Url::parse(url.trim()) else {
        return refused("enter an address such as https://example.org/hook");
    };
    if !["http", "https"].contains(&parsed.scheme()) || !parsed.has_host() {
        return refused("the address begins with https:// or http://");
    }
    if !parsed.username().is_empty() || parsed.password().is_some() {
        return refused(
            "the address cannot contain a name or password; check the signature instead",
        );
    }
    if !parsed.host_str().is_some_and(|host| destinations.may_permit(host)) {
        return refused("the address is not on the internet; the server's operator can allow it");
    }
    if parsed.as_str().len() > LONGEST_URL {
        return refused("an address has at most 2,000 characters");
    }
    Ok(parsed.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_the_hmac_of_time_and_body() {
        // printf '1700000000.{"a":1}' | openssl dgst -sha256 -hmac secret
        let expected = "v1=49f24e537407743fa4a0242bb63b94b9a47ee99cbbe071ccd8a22550ae411686";
        assert_eq!(signature("secret", 1_700_000_000, "{\"a\":1}").unwrap(), expected);
        for (secret, time, body) in [
            ("Secret", 1_700_000_000, "{\"a\":1}"),
            ("secret", 1_700_000_001, "{\"a\":1}"),
            ("secret", 1_700_000_000, "{\"a\":2}"),
        ] {
            assert_ne!(signature(secret, time, body).unwrap(), expected);
        }
    }

    #[test]
    fn only_addresses_of_the_web_are_taken() {
        let usual = Destinations::default();
        for fine in ["https://example.org/hook?a=1", " http://8.8.8.8:9000/x "] {
            assert!(checked_url(fine, &usual).is_ok(), "{fine}");
        }
        let long = format!("https://example.org/{}", "x".repeat(LONGEST_URL));
        for wrong in [
            "",
            "example.org",
            "ftp://example.org",
            "file:///etc/passwd",
            "https://a:b@c.org",
            "http://127.0.0.1:9000/x",
            "http://2130706433/x",
            "http://[::1]/x",
            &long,
        ] {
            assert!(checked_url(wrong, &usual).is_err(), "{wrong}");
        }
    }
}
