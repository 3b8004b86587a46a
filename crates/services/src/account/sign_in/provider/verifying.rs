//! Whether a token is the provider's own, for us, and of now.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use openidconnect::{
    ClaimsVerificationError, JsonWebKey, JsonWebTokenType, Nonce, NonceVerifier,
    core::{CoreJsonWebKeySet, CoreJsonWebKeyUse, CoreJwsSigningAlgorithm},
};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    connection::{Age, Provider, Token, TokenClaims},
    settings::ProviderSettings,
};
use crate::{Result, Services, error_chain};

/// How far a provider's clock may be from ours.
const SKEW: TimeDelta = TimeDelta::seconds(60);

/// How tokens may be signed: by a key that the provider alone has.
const ALGORITHMS: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];

/// What a logout token says has happened.
const EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";

/// The longest text by which a provider names a person or a session, in bytes (`OpenID` Connect Core, 2).
const MAX_ID: usize = 255;

/// Refuses a text by which a provider names something if it is too long or has a NUL in it, which PostgreSQL does
/// not store.
pub(super) fn check_id(id: &str) -> Result<(), &'static str> {
    if id.len() > MAX_ID {
        return Err("the subject, session, address or other id is longer than 255 bytes");
    }
    if id.contains('\0') {
        return Err("the subject, session, address or other id has a NUL in it");
    }
    Ok(())
}

/// What a token of sign-in says, if it holds and answers the question with this nonce. Where no known key
/// fits it, the provider is asked for its keys once more: it may have others by now.
pub(super) async fn verify(
    services: &Services,
    provider: &Provider,
    token: &Token,
    asked: &Nonce,
) -> Result<TokenClaims> {
    let checked = match check(services, provider, token, asked, Age::Usual).await? {
        Err(ClaimsVerificationError::SignatureVerification(_)) => {
            check(services, provider, token, asked, Age::Young).await?
        }
        checked => checked,
    };
    checked.map_err(|why| provider.refused(&error_chain(&why)))
}

/// Holds a token against the provider's keys, as they were known at this age.
async fn check(
    services: &Services,
    provider: &Provider,
    token: &Token,
    asked: &Nonce,
    age: Age,
) -> Result<Result<TokenClaims, ClaimsVerificationError>> {
    let now = services.clock.now();
    let checker = provider.checker(services, age).await?;
    let types = JsonWebTokenType::new("JWT".to_owned()).normalize().ok();
    let verifier = checker
        .id_token_verifier()
        .set_allowed_algs(ALGORITHMS)
        .set_allowed_jose_types(types)
        .set_time_fn(move || now - SKEW)
        .set_issue_time_verifier_fn(move |at| {
            if at > now + SKEW { Err(format!("issued at {at}, after now")) } else { Ok(()) }
        });
    Ok(token.claims(&verifier, |nonce: Option<&Nonce>| asked.verify(nonce)).cloned())
}

/// What a logout token says (`OpenID` Connect Back-Channel Logout, 2.4): the library reads no token that names
/// a session and nobody.
#[derive(Deserialize)]
pub(super) struct LogoutClaims {
    iss: String,
    aud: Audience,
    iat: i64,
    exp: i64,
    /// What no other token has.
    pub(super) jti: String,
    /// Whom it is about.
    pub(super) sub: Option<String>,
    /// Which session it is about.
    pub(super) sid: Option<String>,
    events: Map<String, Value>,
    nonce: Option<Value>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Several(Vec<String>),
}

impl LogoutClaims {
    /// When it expires.
    pub(super) fn expires_at(&self) -> DateTime<Utc> {
        DateTime::from_timestamp(self.exp, 0).unwrap_or_default()
    }

    /// Whether it is for us, of now, and no answer to a question.
    fn check(&self, settings: &ProviderSettings, now: DateTime<Utc>) -> Result<(), &'static str> {
        let is_ours = match &self.aud {
            Audience::One(client) => *client == settings.client_id,
            Audience::Several(clients) => clients.contains(&settings.client_id),
        };
        let issued_at = DateTime::from_timestamp(self.iat, 0).unwrap_or(DateTime::<Utc>::MAX_UTC);
        if self.iss != settings.issuer.as_str() || !is_ours {
            return Err("it is of somebody else, or for somebody else");
        }
        if self.expires_at() <= now - SKEW || issued_at > now + SKEW {
            return Err("it is not of now");
        }
        if !self.events.contains_key(EVENT) || self.nonce.is_some() {
            return Err("it is no logout token");
        }
        if self.sub.is_none() && self.sid.is_none() {
            return Err("it names nobody and no session");
        }
        [&self.sub, &self.sid].into_iter().flatten().try_for_each(|id| check_id(id))
    }
}

/// How a token is signed.
#[derive(Deserialize)]
struct Header {
    alg: CoreJwsSigningAlgorithm,
    kid: Option<String>,
    typ: Option<String>,
    crit: Option<Value>,
}

/// What a logout token says, if it holds. As with tokens of sign-in, the provider may have other keys by now.
pub(super) async fn verify_logout(
    services: &Services,
    provider: &Provider,
    token: &str,
) -> Result<LogoutClaims> {
    let refused = || provider.refused(&"it is not signed as a logout token is");
    let (signed, signature) = token.rsplit_once('.').ok_or_else(refused)?;
    let (header, claims) = signed.split_once('.').ok_or_else(refused)?;
    let decoded = |text: &str| BASE64_URL_SAFE_NO_PAD.decode(text).map_err(|_| refused());
    let header: Header = serde_json::from_slice(&decoded(header)?).map_err(|_| refused())?;
    let types = ["jwt", "logout+jwt", "application/logout+jwt"];
    let is_typed =
        header.typ.as_ref().is_none_or(|typ| types.contains(&typ.to_lowercase().as_str()));
    if !is_typed || header.crit.is_some() || !ALGORITHMS.contains(&header.alg) {
        return Err(refused());
    }
    let signature = decoded(signature)?;
    let fits = |keys: CoreJsonWebKeySet| {
        keys.keys().iter().any(|key| {
            let is_named = header
                .kid
                .as_ref()
                .is_none_or(|kid| key.key_id().is_some_and(|own| own.as_str() == kid));
            let signs = key.key_use().is_none_or(|usage| *usage == CoreJsonWebKeyUse::Signature);
            is_named
                && signs
                && key.verify_signature(&header.alg, signed.as_bytes(), &signature).is_ok()
        })
    };
    if !fits(provider.keys(services, Age::Usual).await?)
        && !fits(provider.keys(services, Age::Young).await?)
    {
        return Err(refused());
    }
    let claims = serde_json::from_slice::<LogoutClaims>(&decoded(claims)?);
    let claims = claims.map_err(|why| provider.refused(&why))?;
    let checked = claims.check(&provider.settings, services.clock.now());
    checked.map_err(|why| provider.refused(&why))?;
    Ok(claims)
}
