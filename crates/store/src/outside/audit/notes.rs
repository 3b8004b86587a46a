//! What is personal about a row: it stands beside the chain, which covers it by a digest only. The digest
//! is keyed and salted, and the salt goes with the note: nobody can try out what an erased one said.

use std::fmt::Write as _;

use domain::AuditEvent;
use rand::RngCore;
use serde_json::{Map, Value};

use super::{Mac, Signer};

/// What the bytes of a note begin with: the version of its form.
const FORM: &[u8] = b"concord audit note 1";

/// The characters of a salt, before the words.
const SALT: usize = 32;

/// A note as it is stored, and what covers it.
pub(super) type Sealed = (String, Mac);

/// What is personal about an event, taken out of what is said of it.
pub(super) fn take_out(event: AuditEvent, detail: &mut Value) -> Option<Value> {
    let fields = detail.as_object_mut()?;
    let taken = event.personal().iter().filter_map(|name| fields.remove_entry(*name));
    let note: Map<_, _> = taken.filter(|(_, value)| !value.is_null()).collect();
    (!note.is_empty()).then_some(Value::Object(note))
}

/// The note of a row at this place.
pub(super) fn seal(signer: &Signer, (chain, place): (i64, i64), words: &Value) -> Sealed {
    let mut salt = [0; SALT / 2];
    rand::rng().fill_bytes(&mut salt);
    let mut stored = String::new();
    for byte in salt {
        let _infallible = write!(stored, "{byte:02x}");
    }
    let _infallible = write!(stored, "{words}");
    let mac = mac(signer, (chain, place), &stored);
    (stored, mac)
}

/// What covers a stored note.
pub(super) fn mac(signer: &Signer, (chain, place): (i64, i64), stored: &str) -> Mac {
    let mut bytes = FORM.to_vec();
    for number in [chain, place] {
        bytes.extend(number.to_be_bytes());
    }
    bytes.extend(stored.as_bytes());
    signer.sign(&bytes)
}

/// What a stored note says.
pub(in crate::outside) fn words(stored: &str) -> &str {
    stored.get(SALT..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_personal_is_taken_out_and_the_rest_stays() {
        let mut detail = json!({ "webhook": 3, "url": "https://ann.example.org", "paused": null });
        let note = take_out(AuditEvent::AddWebhook, &mut detail);
        assert_eq!(note, Some(json!({ "url": "https://ann.example.org" })));
        assert_eq!(detail, json!({ "webhook": 3, "paused": null }));
        assert_eq!(take_out(AuditEvent::AddWebhook, &mut detail), None);
        let mut other = json!({ "url": "x", "name": null });
        assert_eq!(take_out(AuditEvent::Join, &mut other), None);
        assert_eq!(take_out(AuditEvent::SaveLabel, &mut other), None);
    }

    #[test]
    fn the_same_words_have_another_digest_each_time() {
        let signer = crate::testing::signer();
        let words_of = json!({ "name": "ann" });
        let (first, first_mac) = seal(&signer, (1, 2), &words_of);
        let (second, second_mac) = seal(&signer, (1, 2), &words_of);
        assert_eq!(words(&first), r#"{"name":"ann"}"#);
        assert_eq!(words(&first), words(&second));
        assert_ne!(first_mac, second_mac);
        assert_eq!(mac(&signer, (1, 2), &first), first_mac);
        assert_ne!(mac(&signer, (1, 3), &first), first_mac);
    }
}
