//! What is sent to a webhook: its body, and the signature that proves where it comes from.

use chrono::{DateTime, Utc};
use domain::{Code, Error as Refusal, ProjectId, WebhookEvent};
use hmac::{Hmac, Mac};
use serde_json::{Map, Value, json};
use sha2::Sha256;

use super::destinations::Destinations;
use crate::{Error, Result};

/// The longest address that is taken.
const LONGEST_URL: usize = 2_000;

/// Something that has happened in a project.
#[derive(Clone, Debug)]
pub(crate) struct News {
    pub(crate) event: WebhookEvent,
    pub(crate) at: DateTime<Utc>,
    pub(crate) project: ProjectId,
    /// What it is about, by name: ids, names and numbers, and never the text of a document.
    pub(crate) about: Map<String, Value>,
    /// Where to read more, from the address of the site on.
    pub(crate) path: String,
}

impl News {
    /// The body in JSON.
    pub(super) fn body(self, project_name: &str) -> Result<String> {
        let mut body = self.about;
        let project = json!({ "id": self.project, "name": project_name });
        body.insert("event".to_owned(), json!(self.event));
        body.insert("at".to_owned(), json!(self.at));
        body.insert("project".to_owned(), project);
        body.insert("path".to_owned(), json!(self.path));
        serde_json::to_string(&body).map_err(Error::broken)
    }
}

/// What news is about, by name.
pub(crate) fn about<const N: usize>(parts: [(&str, Value); N]) -> Map<String, Value> {
    parts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

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
        return refused("this is no address; it looks like https://example.org/hook");
    };
    if !["http", "https"].contains(&parsed.scheme()) || !parsed.has_host() {
        return refused("the address begins with https:// or http://");
    }
    if !parsed.username().is_empty() || parsed.password().is_some() {
        return refused("the address must hold no name and no password; check the signature");
    }
    if !parsed.host_str().is_some_and(|host| destinations.may_permit(host)) {
        return refused(
            "the address is not one on the internet; whoever runs the server can allow it",
        );
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
