//! The server's secret, which is not in its database: what is sealed or signed with it can be
//! neither read nor made by whoever has the database alone.

use std::fmt;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305,
    aead::{Aead, Payload},
};
use hkdf::Hkdf;
use hmac::{Hmac, Mac};
use rand::RngCore;
use sha2::Sha256;
use store::Store;

use crate::{Error, Result};

/// What the text of a key, and of what is sealed with one, begins with: the version of its form.
const KEY_FORM: &str = "concord-secret-key-1:";
const SEALED_FORM: &str = "v1.";

/// The bytes of a nonce, which is random and stands before what is sealed.
const NONCE: usize = 24;

/// What a secret is used for. Each use has a key of its own, so that nothing made for one is taken
/// for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Secrets with which news to webhooks is signed.
    WebhookSecrets,
    /// The chains of the audit trail.
    AuditChain,
    /// What people sign in with beside their passwords.
    SecondFactors,
    /// Cookies by which a device is known again.
    DeviceCookies,
    /// Links that wait to be sent by mail.
    MailLinks,
    /// Links by which somebody says that they want no more mail.
    Unsubscribing,
    /// What browsers bring back from providers.
    Providers,
}

impl Purpose {
    /// Never changed: with another name, what was sealed cannot be opened.
    const fn name(self) -> &'static str {
        match self {
            Self::WebhookSecrets => "webhook secrets",
            Self::AuditChain => "audit chain",
            Self::SecondFactors => "second factors",
            Self::DeviceCookies => "device cookies",
            Self::MailLinks => "mail links",
            Self::Unsubscribing => "unsubscribing",
            Self::Providers => "providers",
        }
    }
}

/// The text is no key.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no secret key of Concord")]
pub struct Malformed;

/// What is sealed was sealed with another key, for another purpose or in another context, or was
/// changed since.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("this was sealed with another secret key, or has been changed since")]
pub struct NotOurs;

/// The server's secret: 256 random bits that all servers of one database share.
#[derive(Clone)]
pub struct ServerKey([u8; 32]);

impl ServerKey {
    /// A new secret.
    pub fn generate() -> Self {
        let mut bytes = [0; 32];
        rand::rng().fill_bytes(&mut bytes);
        Self(bytes)
    }

    /// The secret that a text holds, as [`Self::text`] wrote it.
    pub fn read(text: &str) -> Result<Self, Malformed> {
        let digits = text.trim().strip_prefix(KEY_FORM).ok_or(Malformed)?;
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(digits).map_err(|_| Malformed)?;
        Ok(Self(bytes.try_into().map_err(|_| Malformed)?))
    }

    /// The secret as a text, to be kept in a file.
    pub fn text(&self) -> String {
        format!("{KEY_FORM}{}", BASE64_URL_SAFE_NO_PAD.encode(self.0))
    }

    /// Seals a text: only this key opens it, for the same purpose and in the same context, such as
    /// the row that it stands in.
    pub fn seal(&self, purpose: Purpose, context: &str, plain: &str) -> Result<String> {
        let mut nonce = [0; NONCE];
        rand::rng().fill_bytes(&mut nonce);
        let payload = Payload { msg: plain.as_bytes(), aad: context.as_bytes() };
        let sealed = self.cipher(purpose).encrypt(&nonce.into(), payload);
        let sealed = sealed.map_err(|_| Error::broken("a text is too long to be sealed"))?;
        let bytes = [nonce.as_slice(), &sealed].concat();
        Ok(format!("{SEALED_FORM}{}", BASE64_URL_SAFE_NO_PAD.encode(bytes)))
    }

    /// Opens what [`Self::seal`] sealed.
    pub fn open(&self, purpose: Purpose, context: &str, sealed: &str) -> Result<String, NotOurs> {
        let digits = sealed.strip_prefix(SEALED_FORM).ok_or(NotOurs)?;
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(digits).map_err(|_| NotOurs)?;
        let (nonce, sealed) = bytes.split_first_chunk::<NONCE>().ok_or(NotOurs)?;
        let payload = Payload { msg: sealed, aad: context.as_bytes() };
        let plain = self.cipher(purpose).decrypt(nonce.into(), payload).map_err(|_| NotOurs)?;
        String::from_utf8(plain).map_err(|_| NotOurs)
    }

    /// What tells this key from others, and nothing more of it.
    pub fn fingerprint(&self) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(self.derive::<16>("fingerprint", None))
    }

    /// Signs bytes: HMAC-SHA-256.
    pub fn mac(&self, purpose: Purpose, bytes: &[u8]) -> [u8; 32] {
        self.signer(purpose, bytes).finalize().into_bytes().into()
    }

    /// What signs many bytes as [`Self::mac`] does, with the key made once.
    pub(crate) fn signing(&self, purpose: Purpose) -> impl Fn(&[u8]) -> [u8; 32] + use<> {
        let keyed = self.signer(purpose, &[]);
        move |bytes| {
            let mut mac = keyed.clone();
            mac.update(bytes);
            mac.finalize().into_bytes().into()
        }
    }

    /// Whether [`Self::mac`] signed these bytes so. Takes the same time wherever it is wrong.
    pub fn is_mac(&self, purpose: Purpose, bytes: &[u8], mac: &[u8]) -> bool {
        self.signer(purpose, bytes).verify_slice(mac).is_ok()
    }

    fn cipher(&self, purpose: Purpose) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&self.derive::<32>("seal", Some(purpose)).into())
    }

    fn signer(&self, purpose: Purpose, bytes: &[u8]) -> Hmac<Sha256> {
        let mut mac =
            <Hmac<Sha256> as KeyInit>::new(&self.derive::<64>("mac", Some(purpose)).into());
        mac.update(bytes);
        mac
    }

    /// A key of its own for each way to use a secret and each purpose: HKDF-SHA-256.
    fn derive<const BYTES: usize>(&self, way: &str, purpose: Option<Purpose>) -> [u8; BYTES] {
        let mut key = [0; BYTES];
        let info = ["concord 1", way, purpose.map_or("", Purpose::name)].join("/");
        #[expect(clippy::expect_used, reason = "it refuses more than 8,160 bytes only")]
        Hkdf::<Sha256>::new(None, &self.0).expand(info.as_bytes(), &mut key).expect("a short key");
        key
    }
}

/// Whether a key is the one that goes with a database; it is, if none did before.
pub async fn goes_with(store: &Store, key: &ServerKey) -> Result<bool> {
    let fingerprint = key.fingerprint();
    if let Some(known) = store::base::secret_key::fingerprint(store).await? {
        return Ok(known == fingerprint);
    }
    let tx = store.begin().await?;
    store::base::secret_key::note(&tx, &fingerprint).await?;
    let known = store::base::secret_key::fingerprint(&tx).await?;
    tx.commit().await?;
    Ok(known == Some(fingerprint))
}

/// Whether a key goes with a database, whichever it is.
pub async fn is_needed(store: &Store) -> Result<bool> {
    Ok(fingerprint(store).await?.is_some())
}

/// The fingerprint of the key that goes with a database; none if none does yet.
pub async fn fingerprint(store: &Store) -> Result<Option<String>> {
    Ok(store::base::secret_key::fingerprint(store).await?)
}

impl From<[u8; 32]> for ServerKey {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl fmt::Debug for ServerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ServerKey(..)")
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;
    use crate::outside::audit::replace_key;

    const EACH: [Purpose; 7] = [
        Purpose::WebhookSecrets,
        Purpose::AuditChain,
        Purpose::SecondFactors,
        Purpose::DeviceCookies,
        Purpose::MailLinks,
        Purpose::Unsubscribing,
        Purpose::Providers,
    ];

    #[test]
    fn a_key_is_read_as_it_was_written_and_is_shown_nowhere_else() {
        let (key, other) = (ServerKey::generate(), ServerKey::generate());
        assert_ne!(key.text(), other.text());
        assert_eq!(ServerKey::read(&format!("{}\n", key.text())).unwrap().0, key.0);
        assert_eq!(format!("{key:?}"), "ServerKey(..)");
        let text = key.text();
        let long = format!("{text}AAAA");
        for wrong in ["", "\n", &text[1..], &text[..60], &long, "concord-secret-key-1:"] {
            assert_eq!(ServerKey::read(wrong).err(), Some(Malformed), "{wrong}");
        }
    }

    #[test]
    fn what_is_sealed_is_opened_by_its_key_for_its_purpose_and_in_its_context_only() {
        let key = ServerKey::from([7; 32]);
        for text in ["", "a secret", "ünï\0"] {
            for purpose in EACH {
                let sealed = key.seal(purpose, "row 1", text).unwrap();
                assert_ne!(sealed, key.seal(purpose, "row 1", text).unwrap());
                assert_eq!(key.open(purpose, "row 1", &sealed).as_deref(), Ok(text));
                assert_eq!(key.open(purpose, "row 2", &sealed), Err(NotOurs));
                for other in EACH.into_iter().filter(|other| *other != purpose) {
                    assert_eq!(key.open(other, "row 1", &sealed), Err(NotOurs));
                }
                let stranger = ServerKey::from([8; 32]);
                assert_eq!(stranger.open(purpose, "row 1", &sealed), Err(NotOurs));
            }
        }
    }

    #[test]
    fn what_was_changed_is_not_opened() {
        let key = ServerKey::from([7; 32]);
        let sealed = key.seal(Purpose::WebhookSecrets, "row 1", "a secret").unwrap();
        for at in 0..sealed.len() {
            let mut changed = sealed.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            assert_eq!(key.open(Purpose::WebhookSecrets, "row 1", &changed), Err(NotOurs), "{at}");
            let cut = &sealed[..at];
            assert_eq!(key.open(Purpose::WebhookSecrets, "row 1", cut), Err(NotOurs), "{at}");
        }
    }

    #[test]
    fn a_signature_is_that_of_one_key_one_purpose_and_the_very_bytes() {
        let key = ServerKey::from([7; 32]);
        let mac = key.mac(Purpose::AuditChain, b"row");
        assert!(key.is_mac(Purpose::AuditChain, b"row", &mac));
        assert!(!key.is_mac(Purpose::AuditChain, b"rov", &mac));
        assert!(!key.is_mac(Purpose::AuditChain, b"row", &mac[..31]));
        assert!(!key.is_mac(Purpose::DeviceCookies, b"row", &mac));
        assert!(!ServerKey::from([8; 32]).is_mac(Purpose::AuditChain, b"row", &mac));
    }

    #[tokio::test]
    async fn a_database_knows_its_key_until_another_takes_its_place() {
        for store in store::testing::stores().await {
            let (first, second) = (ServerKey::from([1; 32]), ServerKey::from([2; 32]));
            assert!(!is_needed(&store).await.unwrap());
            assert!(goes_with(&store, &first).await.unwrap());
            assert!(is_needed(&store).await.unwrap());
            for _ in 0..2 {
                assert!(goes_with(&store, &first).await.unwrap());
                assert!(!goes_with(&store, &second).await.unwrap());
            }
            replace_key(&store, &second, DateTime::UNIX_EPOCH).await.unwrap();
            assert!(goes_with(&store, &second).await.unwrap());
            assert!(!goes_with(&store, &first).await.unwrap());
        }
    }

    #[test]
    fn what_earlier_versions_signed_is_known_again() {
        // Python's hmac, and HKDF made of it, with the names above.
        let mac = ServerKey::from([7; 32]).mac(Purpose::AuditChain, b"row");
        assert_eq!(
            BASE64_URL_SAFE_NO_PAD.encode(mac),
            "iC0Gn1t94DH5q5_lXaEetNC7Q1dsGeCl6YlyTrrm4Qk"
        );
    }
}
