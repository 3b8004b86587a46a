//! The connection to a provider: what discovery has told of it, kept for a while.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use domain::{Code, Error as Refusal};
use futures::future::BoxFuture;
use openidconnect::{
    AdditionalClaims, AsyncHttpClient, AuthType, ClientId, EmptyExtraTokenFields, EndpointMaybeSet,
    EndpointNotSet, EndpointSet, HttpRequest, HttpResponse, IdToken, IdTokenClaims, IdTokenFields,
    RedirectUrl, StandardErrorResponse, StandardTokenResponse,
    core::{
        CoreAuthDisplay, CoreAuthPrompt, CoreClientAuthMethod, CoreErrorResponseType,
        CoreGenderClaim, CoreJsonWebKey, CoreJsonWebKeySet, CoreJweContentEncryptionAlgorithm,
        CoreJwsSigningAlgorithm, CoreProviderMetadata, CoreRevocableToken,
        CoreRevocationErrorResponse, CoreTokenIntrospectionResponse, CoreTokenType,
    },
};
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex, OnceCell, RwLock};

use super::settings::ProviderSettings;
use crate::{
    Error, Result, Services,
    base::access::answers::{AnswerError, MAX_ANSWER, read_answer},
    error_chain,
};

/// How long what is known of a provider is used.
const KNOWN_FOR: TimeDelta = TimeDelta::hours(1);

/// How soon it is asked again for keys that are not known, or after it did not answer: nobody makes us ask
/// more often, nor wait for it each time.
const AGAIN_AFTER: TimeDelta = TimeDelta::seconds(10);

/// How long an answer may take: signing in asks for a few, and has half a minute.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a provider says beside the claims that every one has.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct OtherClaims(pub(super) serde_json::Map<String, serde_json::Value>);

impl AdditionalClaims for OtherClaims {}

/// A signed token of a provider.
pub(super) type Token = IdToken<
    OtherClaims,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJwsSigningAlgorithm,
>;

/// What one says.
pub(super) type TokenClaims = IdTokenClaims<OtherClaims, CoreGenderClaim>;

type Fields = IdTokenFields<
    OtherClaims,
    EmptyExtraTokenFields,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJwsSigningAlgorithm,
>;

/// What the library asks a provider with, once discovery has told where.
pub(super) type Client = openidconnect::Client<
    OtherClaims,
    CoreAuthDisplay,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJsonWebKey,
    CoreAuthPrompt,
    StandardErrorResponse<CoreErrorResponseType>,
    StandardTokenResponse<Fields, CoreTokenType>,
    CoreTokenIntrospectionResponse,
    CoreRevocableToken,
    CoreRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

/// The providers of a server.
pub(crate) struct Providers {
    each: Vec<Provider>,
    http: OnceCell<Http>,
    /// Whether nobody signs in but through one.
    pub(super) only: bool,
}

impl Providers {
    /// These providers; `only` lets nobody sign in but through one.
    pub(crate) fn new(settings: Vec<ProviderSettings>, only: bool) -> Self {
        let each = settings.into_iter().map(|settings| Provider {
            settings,
            known: RwLock::default(),
            failed_at: Mutex::default(),
        });
        Self { each: each.collect(), http: OnceCell::new(), only }
    }

    /// What the settings have, in their order.
    pub(super) fn settings(&self) -> impl Iterator<Item = &ProviderSettings> {
        self.each.iter().map(|provider| &provider.settings)
    }

    /// Whether one of them calls itself so.
    pub(crate) fn have(&self, issuer: &str) -> bool {
        self.settings().any(|settings| settings.issuer.as_str() == issuer)
    }

    /// Whether the settings take its word for a second factor.
    pub(crate) fn vouch(&self, issuer: &str) -> bool {
        let mut own = self.settings().filter(|settings| settings.issuer.as_str() == issuer);
        own.any(|settings| !settings.second_factor.is_empty())
    }

    pub(super) fn find(&self, name: &str) -> Result<&Provider, Refusal> {
        let found = self.each.iter().find(|provider| provider.settings.name == name);
        found.ok_or(Refusal::NotFound)
    }

    /// What asks all providers, made when one is asked for the first time.
    pub(super) async fn http(&self) -> Result<&Http> {
        let made = self.http.get_or_try_init(async || {
            reqwest::Client::builder()
                .user_agent(concat!("concord/", env!("CARGO_PKG_VERSION")))
                .timeout(PATIENCE)
                // Nobody leads us elsewhere with a secret.
                .redirect(reqwest::redirect::Policy::none())
                .build()
                .map(Http)
        });
        made.await.map_err(Error::broken)
    }
}

/// A client whose answers have a limit of size.
pub(super) struct Http(reqwest::Client);

impl<'c> AsyncHttpClient<'c> for Http {
    type Error = AnswerError;
    type Future = BoxFuture<'c, Result<HttpResponse, AnswerError>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(async move {
            let answer = self.0.execute(request.try_into()?).await?;
            let mut read = HttpResponse::default();
            *read.status_mut() = answer.status();
            *read.headers_mut() = answer.headers().clone();
            *read.body_mut() = read_answer(answer, MAX_ANSWER).await?;
            Ok(read)
        })
    }
}

/// A provider.
pub(super) struct Provider {
    pub(super) settings: ProviderSettings,
    known: RwLock<Option<Known>>,
    /// Held while it is asked, with when it did not answer: whoever is not content with what is known waits for that
    /// answer.
    failed_at: Mutex<Option<DateTime<Utc>>>,
}

/// What discovery has told.
struct Known {
    metadata: CoreProviderMetadata,
    at: DateTime<Utc>,
}

/// How old what is known may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Age {
    Usual,
    /// Younger than what has just failed.
    Young,
}

impl Provider {
    /// What asks it; `back` is where it sends browsers.
    pub(super) async fn client(&self, services: &Services, back: RedirectUrl) -> Result<Client> {
        Ok(self.checker(services, Age::Usual).await?.set_redirect_uri(back))
    }

    /// What checks its tokens, by keys of this age.
    pub(super) async fn checker(&self, services: &Services, age: Age) -> Result<Client> {
        let metadata = self.metadata(services, age).await?;
        let settings = &self.settings;
        let id = ClientId::new(settings.client_id.clone());
        let how = how_to_authenticate(&metadata);
        let client = Client::from_provider_metadata(metadata, id, settings.client_secret.clone());
        Ok(client.set_auth_type(how))
    }

    /// The keys that it signs with, of this age.
    pub(super) async fn keys(&self, services: &Services, age: Age) -> Result<CoreJsonWebKeySet> {
        Ok(self.metadata(services, age).await?.jwks().clone())
    }

    async fn metadata(&self, services: &Services, age: Age) -> Result<CoreProviderMetadata> {
        let now = services.clock.now();
        let lasts = match age {
            Age::Usual => KNOWN_FOR,
            Age::Young => AGAIN_AFTER,
        };
        if let Some(metadata) = self.known_for(lasts, now).await {
            return Ok(metadata);
        }
        let mut failed_at = self.failed_at.lock().await;
        // Whoever was first has asked.
        if let Some(metadata) = self.known_for(lasts, now).await {
            return Ok(metadata);
        }
        if failed_at.is_some_and(|at| now - at < AGAIN_AFTER) {
            return Err(self.not_there());
        }
        let http = services.providers.http().await?;
        let asked = CoreProviderMetadata::discover_async(self.settings.issuer.clone(), http).await;
        match asked {
            Ok(metadata) => {
                *self.known.write().await = Some(Known { metadata: metadata.clone(), at: now });
                *failed_at = None;
                Ok(metadata)
            }
            Err(error) => {
                *failed_at = Some(now);
                Err(self.unreachable(&error))
            }
        }
    }

    /// What is known, unless it is older than that.
    async fn known_for(
        &self,
        lasts: TimeDelta,
        now: DateTime<Utc>,
    ) -> Option<CoreProviderMetadata> {
        let known = self.known.read().await;
        known.as_ref().filter(|known| now - known.at < lasts).map(|known| known.metadata.clone())
    }

    /// It does not answer, or not as it has to: the log says why.
    pub(super) fn unreachable(&self, why: &dyn std::error::Error) -> Error {
        let (name, why) = (&self.settings.name, error_chain(why));
        tracing::warn!(provider = name, why, "a provider does not answer as it should");
        self.not_there()
    }

    fn not_there(&self) -> Error {
        let words = format!("{} is not reachable at the moment", self.settings.title());
        Code::NotOffered.because(words).into()
    }

    /// What it says does not hold: the log says why.
    pub(super) fn refused(&self, why: &dyn std::fmt::Display) -> Error {
        let name = &self.settings.name;
        tracing::info!(provider = name, %why, "what a provider said was refused");
        let words = format!("the answer of {} was refused", self.settings.title());
        Code::IdentityRefused.because(words).into()
    }
}

/// Where the secret goes: in the head of a request, unless the provider takes it in the body only.
fn how_to_authenticate(metadata: &CoreProviderMetadata) -> AuthType {
    let taken = metadata.token_endpoint_auth_methods_supported();
    let has = |method| taken.is_some_and(|taken| taken.contains(&method));
    let only_in_body = has(CoreClientAuthMethod::ClientSecretPost)
        && !has(CoreClientAuthMethod::ClientSecretBasic);
    if only_in_body { AuthType::RequestBody } else { AuthType::BasicAuth }
}
