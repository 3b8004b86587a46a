//! A device that makes and uses passkeys, as a browser would speak for it: P-256, and no word on who
//! has made it. Every part of what it says can be made wrong.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use domain::PasskeyRequest;
use p256::ecdsa::{Signature, SigningKey, signature::Signer};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The site that the tests' passkeys are for.
pub(crate) const ORIGIN: &str = "https://concord.example.org";

const PRESENT: u8 = 0x01;
const VERIFIED: u8 = 0x04;
const WITH_KEY: u8 = 0x40;

/// A device with one passkey.
#[derive(Clone)]
pub(crate) struct Device {
    pub(crate) key: SigningKey,
    pub(crate) id: Vec<u8>,
    /// Whose it is; known once it has made the passkey.
    pub(crate) handle: String,
    pub(crate) counter: u32,
    /// Whether it counts: those whose passkeys are in several devices do not.
    pub(crate) counts: bool,
    /// Which site the browser says that it shows.
    pub(crate) origin: &'static str,
    /// Which site it makes and uses passkeys for, if not the one that asks.
    pub(crate) rp_id: Option<&'static str>,
    /// Whether it has seen who is there, by a finger or a number.
    pub(crate) is_verified: bool,
}

impl Device {
    pub(crate) fn new(seed: u8) -> Self {
        Self {
            key: SigningKey::from_slice(&[seed; 32]).unwrap(),
            id: vec![seed; 32],
            handle: String::new(),
            counter: 0,
            counts: true,
            origin: ORIGIN,
            rp_id: None,
            is_verified: true,
        }
    }

    fn id(&self) -> String {
        encoded(&self.id)
    }

    fn client_data(&self, kind: &str, options: &Value) -> Vec<u8> {
        let data = json!({
            "type": kind,
            "challenge": options["challenge"],
            "origin": self.origin,
            "crossOrigin": false,
        });
        data.to_string().into_bytes()
    }

    fn data(&self, asked: &Value, flags: u8) -> Vec<u8> {
        let rp_id = self.rp_id.unwrap_or_else(|| asked.as_str().unwrap());
        let verified = if self.is_verified { VERIFIED } else { 0 };
        let mut data = Sha256::digest(rp_id).to_vec();
        data.push(PRESENT | verified | flags);
        data.extend(self.counter.to_be_bytes());
        data
    }

    /// Makes the passkey that is asked for.
    pub(crate) fn make(&mut self, asked: &PasskeyRequest) -> String {
        let options = options(asked);
        options["user"]["id"].as_str().unwrap().clone_into(&mut self.handle);
        let mut data = self.data(&options["rp"]["id"], WITH_KEY);
        data.extend([0; 16]);
        data.extend(u16::try_from(self.id.len()).unwrap().to_be_bytes());
        data.extend(&self.id);
        let point = self.key.verifying_key().to_encoded_point(false);
        data.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
        data.extend(point.x().unwrap());
        data.extend([0x22, 0x58, 0x20]);
        data.extend(point.y().unwrap());
        // {"fmt": "none", "attStmt": {}, "authData": …}
        let mut attested = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58".to_vec();
        attested.push(u8::try_from(data.len()).unwrap());
        attested.extend(&data);
        json!({
            "id": self.id(),
            "rawId": self.id(),
            "type": "public-key",
            "response": {
                "clientDataJSON": encoded(&self.client_data("webauthn.create", &options)),
                "attestationObject": encoded(&attested),
                "transports": ["internal"],
            },
            "clientExtensionResults": { "credProps": { "rk": true } },
        })
        .to_string()
    }

    /// Uses the passkey.
    pub(crate) fn answer(&mut self, asked: &PasskeyRequest) -> String {
        self.counter += u32::from(self.counts);
        let options = options(asked);
        let data = self.data(&options["rpId"], 0);
        let said = self.client_data("webauthn.get", &options);
        let signed = [data.as_slice(), &Sha256::digest(&said)].concat();
        let signature: Signature = self.key.sign(&signed);
        json!({
            "id": self.id(),
            "rawId": self.id(),
            "type": "public-key",
            "authenticatorAttachment": "platform",
            "response": {
                "clientDataJSON": encoded(&said),
                "authenticatorData": encoded(&data),
                "signature": encoded(signature.to_der().as_bytes()),
                "userHandle": self.handle,
            },
            "clientExtensionResults": {},
        })
        .to_string()
    }
}

fn encoded(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

/// What a browser is asked.
pub(crate) fn options(asked: &PasskeyRequest) -> Value {
    serde_json::from_str(&asked.options).unwrap()
}

/// The answer with another value in this place of it.
pub(crate) fn with(answer: &str, part: &str, change: impl Fn(&mut Vec<u8>)) -> String {
    let mut answer: Value = serde_json::from_str(answer).unwrap();
    let place = &mut answer["response"][part];
    let mut bytes = BASE64_URL_SAFE_NO_PAD.decode(place.as_str().unwrap()).unwrap();
    change(&mut bytes);
    *place = json!(encoded(&bytes));
    answer.to_string()
}
