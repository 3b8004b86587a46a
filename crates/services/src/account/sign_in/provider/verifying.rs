//! Whether a token is the provider's own, for us, and of now.

use chrono::TimeDelta;
use openidconnect::{
    ClaimsVerificationError, JsonWebTokenType, Nonce, NonceVerifier, core::CoreJwsSigningAlgorithm,
};

use super::connection::{Age, Provider, Token, TokenClaims};
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

/// What a token is for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Use<'a> {
    /// It answers the question with this nonce.
    SignIn(&'a Nonce),
    /// It ends sessions, which no answer to a question may do.
    Logout,
}

impl Use<'_> {
    /// What its header may call it.
    fn types(self) -> &'static [&'static str] {
        match self {
            Self::SignIn(_) => &["JWT"],
            Self::Logout => &["logout+jwt", "JWT"],
        }
    }

    /// Whether it answers what was asked, by its nonce.
    fn answers(self, nonce: Option<&Nonce>) -> Result<(), String> {
        match (self, nonce) {
            (Self::SignIn(asked), nonce) => asked.verify(nonce),
            (Self::Logout, None) => Ok(()),
            (Self::Logout, Some(_)) => Err("a logout token has no nonce".to_owned()),
        }
    }
}

/// What a token says, if it holds. Where no known key fits it, the provider is asked for its keys once
/// more: it may have others by now.
pub(super) async fn verify(
    services: &Services,
    provider: &Provider,
    token: &Token,
    usage: Use<'_>,
) -> Result<TokenClaims> {
    let checked = match check(services, provider, token, usage, Age::Usual).await? {
        Err(ClaimsVerificationError::SignatureVerification(_)) => {
            check(services, provider, token, usage, Age::Young).await?
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
    usage: Use<'_>,
    age: Age,
) -> Result<Result<TokenClaims, ClaimsVerificationError>> {
    let now = services.clock.now();
    let checker = provider.checker(services, age).await?;
    let types = usage.types().iter();
    let types = types.filter_map(|name| JsonWebTokenType::new((*name).to_owned()).normalize().ok());
    let verifier = checker
        .id_token_verifier()
        .set_allowed_algs(ALGORITHMS)
        .set_allowed_jose_types(types)
        .set_time_fn(move || now - SKEW)
        .set_issue_time_verifier_fn(move |at| {
            if at > now + SKEW { Err(format!("issued at {at}, after now")) } else { Ok(()) }
        });
    let answers = |nonce: Option<&Nonce>| usage.answers(nonce);
    Ok(token.claims(&verifier, answers).cloned())
}
