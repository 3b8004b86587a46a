//! What is sent to a webhook: its body, and the signature that proves where it comes from.

use chrono::{DateTime, Utc};
use domain::{AlertRule, AlertSubject, Error as Refusal, MemberId, ProjectId, SeveralMeasure};
use hmac::{Hmac, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use store::alerts::Raised;

use crate::{Error, Result, names::Names};

/// An alert was raised; it does not stand any more; somebody tries the webhook.
pub(super) const FIRED: &str = "alert.fired";
pub(super) const CLEARED: &str = "alert.cleared";
pub(super) const TEST: &str = "test";

/// The longest address that is taken.
const LONGEST_URL: usize = 2_000;

/// An alert that is raised or cleared.
pub(super) struct News<'a> {
    pub(super) event: &'static str,
    pub(super) at: DateTime<Utc>,
    pub(super) project: ProjectId,
    pub(super) project_name: &'a str,
    pub(super) rule: &'a AlertRule,
    pub(super) raised: &'a Raised,
    pub(super) names: &'a Names,
}

impl News<'_> {
    /// The body in JSON. `value`, `lower` and `n` are those of the moment in which it was raised.
    pub(super) fn body(&self) -> Result<String> {
        let Raised { pair, fired_at, value, lower, n, revision, .. } = *self.raised;
        let rule = &self.rule.rule;
        let measure = match rule.subject {
            AlertSubject::AllLabelers => rule.several().map(SeveralMeasure::name),
            AlertSubject::LabelerPair | AlertSubject::ReviewerPair => Some(rule.measure.name()),
        };
        let raters = pair.map(|(first, second)| [self.rater(first), self.rater(second)]);
        write(&json!({
            "event": self.event,
            "at": self.at,
            "project": { "id": self.project, "name": self.project_name },
            "rule": {
                "id": self.rule.id,
                "subject": rule.subject,
                "measure": measure,
                "policy": rule.policy,
                "documents": rule.documents,
                "limit": rule.limit,
                "minimum_n": rule.minimum_n,
            },
            "raters": raters,
            "fired_at": fired_at,
            "value": value,
            "lower": lower,
            "n": n,
            "revision": revision,
            "path": self.path(),
        }))
    }

    fn rater(&self, id: MemberId) -> Value {
        json!({ "id": id, "name": self.names.name(id) })
    }

    /// Where the number stands, from the address of the site on.
    fn path(&self) -> String {
        let switches = self.rule.rule.switches();
        let matrix = format!("/projects/{}/agreement", self.project);
        let pair = self.raised.pair.map(|(first, second)| format!("/{first}/{second}"));
        format!(
            "{matrix}{}?measure={}&policy={}&documents={}",
            pair.unwrap_or_default(),
            switches.measure,
            switches.policy,
            switches.documents,
        )
    }
}

/// The body of a try.
pub(super) fn test(project: ProjectId, name: &str, at: DateTime<Utc>) -> Result<String> {
    write(&json!({ "event": TEST, "at": at, "project": { "id": project, "name": name } }))
}

fn write(body: &Value) -> Result<String> {
    serde_json::to_string(body).map_err(Error::broken)
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

/// An address that a webhook can have: of the web, with no password in it.
pub(super) fn checked_url(url: &str) -> Result<String, Refusal> {
    let refused = |why: &str| Err(Refusal::invalid("url", why));
    let Ok(parsed) = reqwest::Url::parse(url.trim()) else {
        return refused("this is no address; it looks like https://example.org/hook");
    };
    if !["http", "https"].contains(&parsed.scheme()) || !parsed.has_host() {
        return refused("the address begins with https:// or http://");
    }
    if !parsed.username().is_empty() || parsed.password().is_some() {
        return refused("the address must hold no name and no password; check the signature");
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
        for fine in ["https://example.org/hook?a=1", " http://127.0.0.1:9000/x "] {
            assert!(checked_url(fine).is_ok(), "{fine}");
        }
        let long = format!("https://example.org/{}", "x".repeat(LONGEST_URL));
        for wrong in [
            "",
            "example.org",
            "ftp://example.org",
            "file:///etc/passwd",
            "https://a:b@c.org",
            &long,
        ] {
            assert!(checked_url(wrong).is_err(), "{wrong}");
        }
    }
}
