//! Sending a browser to a provider. What has to be known when it comes back is sealed and kept by the
//! browser: whoever asks without an account writes nothing.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use domain::{Actor, Code, UserId};
use openidconnect::{
    CsrfToken, Nonce, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope,
    core::{CoreAuthPrompt, CoreAuthenticationFlow},
};
use serde::{Deserialize, Serialize};

use super::identities::refuse_stale;
use crate::{
    Error, Purpose, Result, Services,
    account::{Client, by_person, own::refuse_demo, sign_in::failures::Try},
    base::secrets::token,
};

/// How long a browser keeps a question, and has to come back with the answer.
pub const QUESTION_KEPT: TimeDelta = TimeDelta::minutes(10);

/// What a browser is sent to a provider for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// To sign in.
    SignIn,
    /// To prove anew who one is, even if the provider knows.
    SignInAgain,
    /// To accept the invitation with this token.
    Invitation(String),
    /// To add an identity to the account that is signed in.
    Identity,
}

/// A browser that is on its way to a provider.
pub struct Asked {
    /// Where it is sent.
    pub address: String,
    /// What it brings back; nobody can read or change it.
    pub question: String,
}

/// What was asked, until the browser comes back.
#[derive(Serialize, Deserialize)]
pub(super) struct Question {
    provider: String,
    state: String,
    nonce: String,
    verifier: String,
    pub(super) purpose: Asker,
    /// The page to come back to.
    pub(super) back: String,
    /// The token by which the browser is known: it is not sent along where another site leads back.
    pub(super) device: Option<String>,
    until: DateTime<Utc>,
}

/// Who asks for what.
#[derive(Serialize, Deserialize)]
pub(super) enum Asker {
    Anybody,
    Invited(String),
    Owner(UserId),
}

/// Sends a browser to the provider with this name. `site` is our own address, and `back` the page to come
/// back to, which whoever calls has made sure is ours.
pub async fn ask_provider(
    services: &Arc<Services>,
    actor: &Actor,
    client: &Client,
    (provider, site): (&str, &str),
    wanted: Wanted,
    back: &str,
) -> Result<Asked> {
    let provider = services.providers.find(provider)?;
    let again = wanted == Wanted::SignInAgain;
    let purpose = match wanted {
        Wanted::SignIn | Wanted::SignInAgain => Asker::Anybody,
        Wanted::Invitation(token) => Asker::Invited(token),
        Wanted::Identity => {
            let owner = by_person(actor)?;
            refuse_demo(services, owner).await?;
            refuse_stale(services, client).await?;
            Asker::Owner(owner.id)
        }
    };
    let settings = &provider.settings;
    let asking = provider.client(services, redirect(&settings.name, site)?).await?;
    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let mut request = asking
        .authorize_url(
            CoreAuthenticationFlow::AuthorizationCode,
            CsrfToken::new_random,
            Nonce::new_random,
        )
        .add_scopes(settings.scopes.iter().cloned().map(Scope::new))
        .set_pkce_challenge(challenge);
    if again {
        // A provider that is asked so says when it was (OpenID Connect Core, 3.1.2.1).
        request = request.add_prompt(CoreAuthPrompt::Login).set_max_age(Duration::ZERO);
    }
    let (address, state, nonce) = request.url();
    let question = Question {
        provider: settings.name.clone(),
        state: state.secret().clone(),
        nonce: nonce.secret().clone(),
        verifier: verifier.secret().clone(),
        purpose,
        back: back.to_owned(),
        device: client.device.clone(),
        until: services.clock.now() + QUESTION_KEPT,
    };
    let text = serde_json::to_string(&question).map_err(Error::broken)?;
    let question = services.key.seal(Purpose::Providers, &settings.name, &text)?;
    Ok(Asked { address: address.into(), question })
}

/// Where a provider sends browsers; it knows this address and takes no other.
pub(super) fn redirect(provider: &str, site: &str) -> Result<RedirectUrl> {
    RedirectUrl::new(format!("{site}/sign-in/with/{provider}/back")).map_err(Error::broken)
}

impl Question {
    /// The question that a browser brings back, if it is the one to which this is the answer.
    pub(super) fn open(
        services: &Services,
        provider: &str,
        kept: Option<&str>,
        state: &str,
    ) -> Result<Self> {
        let text = kept.and_then(|kept| services.key.open(Purpose::Providers, provider, kept).ok());
        let question: Option<Self> = text.and_then(|text| serde_json::from_str(&text).ok());
        let is_asked = |question: &Self| {
            token::hash(&question.state) == token::hash(state)
                && question.provider == provider
                && services.clock.now() < question.until
        };
        Ok(question.filter(is_asked).ok_or_else(over)?)
    }

    pub(super) fn nonce(&self) -> Nonce {
        Nonce::new(self.nonce.clone())
    }

    pub(super) fn verifier(&self) -> PkceCodeVerifier {
        PkceCodeVerifier::new(self.verifier.clone())
    }

    /// What the answer counts as until it has turned out right.
    pub(super) fn tried(&self, client: &Client) -> Try {
        Try::with_answer(&self.state, client)
    }

    /// Uses the question up, or refuses one that was answered before.
    pub(super) async fn use_up(&self, services: &Services) -> Result<()> {
        let hash = token::hash(&format!("question {}", self.state));
        let tx = services.store.begin().await?;
        if !store::account::used_challenges::use_up(&tx, &hash, self.until).await? {
            return Err(over().into());
        }
        Ok(tx.commit().await?)
    }
}

fn over() -> domain::Error {
    Code::Expired.because("signing in took too long, or was done already; start again")
}
