//! What a provider says of somebody, in exchange for a code.

use chrono::{DateTime, Utc};
use domain::{Code, check_name};
use openidconnect::{
    AuthorizationCode, OAuth2TokenResponse, RequestTokenError, TokenResponse, UserInfoClaims,
    UserInfoError, core::CoreGenderClaim,
};
use serde_json::Value;

use super::{
    asking::{Question, redirect},
    connection::{OtherClaims, Provider, TokenClaims},
    mapping::is_name,
    settings::{ProviderSettings, SUBJECT},
    verifying::{check_id, verify},
};
use crate::{Result, Services, error_chain};

type UserInfo = UserInfoClaims<OtherClaims, CoreGenderClaim>;

/// What a provider says of somebody.
#[derive(Clone, Debug)]
pub(super) struct Claims {
    pub(super) issuer: String,
    pub(super) subject: String,
    /// An address that the provider has verified.
    pub(super) email: Option<String>,
    pub(super) name: Option<String>,
    /// None if the provider says nothing of groups.
    pub(super) groups: Option<Vec<String>>,
    /// What the provider calls its own session (`sid`).
    pub(super) session: Option<String>,
    /// When they last proved to the provider who they are, if it says so (`auth_time`).
    pub(super) proven_at: Option<DateTime<Utc>>,
    /// What the provider's directory calls them.
    pub(super) directory_id: Option<String>,
    /// Whether the provider vouches for a second factor.
    pub(super) has_factor: bool,
}

/// Asks a provider for whom the code stands.
pub(super) async fn load(
    services: &Services,
    provider: &Provider,
    question: &Question,
    code: &str,
    site: &str,
) -> Result<Claims> {
    let http = services.providers.http().await?;
    let client = provider.client(services, redirect(&provider.settings.name, site)?).await?;
    let exchange = client.exchange_code(AuthorizationCode::new(code.to_owned()));
    let exchange = exchange.map_err(|why| provider.unreachable(&why))?;
    let answer = exchange.set_pkce_verifier(question.verifier()).request_async(http).await;
    let answer = answer.map_err(|why| match &why {
        RequestTokenError::Request(_) => provider.unreachable(&why),
        _ => provider.refused(&error_chain(&why)),
    })?;
    let token = answer.id_token().ok_or_else(|| provider.refused(&"there is no token"))?;
    let own = verify(services, provider, token, &question.nonce()).await?;
    // Many providers say little in a token, and the rest when they are asked.
    let subject = own.subject().clone();
    let more: Option<UserInfo> =
        match client.user_info(answer.access_token().clone(), Some(subject)) {
            Ok(request) => Some(request.request_async(http).await.map_err(|why| match &why {
                UserInfoError::Request(_) => provider.unreachable(&why),
                _ => provider.refused(&error_chain(&why)),
            })?),
            Err(_) => None,
        };
    let claims = joined(&own, more.as_ref(), &provider.settings);
    claims.check().map_err(|why| provider.refused(&why))?;
    Ok(claims)
}

/// Both together; what the token says goes first.
fn joined(own: &TokenClaims, more: Option<&UserInfo>, settings: &ProviderSettings) -> Claims {
    let address = own.email().or_else(|| more?.email());
    let is_verified = own
        .email_verified()
        .filter(|_| own.email().is_some())
        .or_else(|| more.filter(|more| more.email() == address).and_then(UserInfo::email_verified));
    let name = own.name().or_else(|| more?.name());
    let groups = [Some(own.additional_claims()), more.map(UserInfo::additional_claims)]
        .into_iter()
        .flatten()
        .find_map(|claims| named(claims, &settings.groups_claim))
        .map(|names| names.into_iter().filter(|name| is_name(name)).collect());
    let text = |name: &str| own.additional_claims().0.get(name).and_then(Value::as_str);
    let session = text("sid");
    // Only what is signed says by which factors somebody came, and whom the directory means.
    let directory_id = match settings.external_id_claim.as_str() {
        SUBJECT => Some(own.subject().as_str()),
        claim => text(claim),
    };
    let has_factor = |name: &str| settings.second_factor.iter().any(|factor| factor == name);
    Claims {
        issuer: own.issuer().as_str().to_owned(),
        subject: own.subject().as_str().to_owned(),
        email: address
            .filter(|_| is_verified.unwrap_or(settings.trust_email))
            .map(|it| it.as_str().to_owned()),
        name: name
            .and_then(|name| name.get(None))
            .and_then(|name| check_name("name", "a name", name.as_str(), 1..=100).ok()),
        groups,
        session: session.map(str::to_owned),
        proven_at: own.auth_time(),
        directory_id: directory_id.map(str::to_owned),
        has_factor: methods(own).any(has_factor),
    }
}

/// How somebody has signed in there: the methods (`amr`) and the class of all of it (`acr`).
fn methods(own: &TokenClaims) -> impl Iterator<Item = &str> {
    let methods = own.auth_method_refs().into_iter().flatten().map(|method| method.as_str());
    methods.chain(own.auth_context_ref().map(|class| class.as_str()))
}

/// The names that a claim has: one, or a list.
fn named(claims: &OtherClaims, claim: &str) -> Option<Vec<String>> {
    match claims.0.get(claim)? {
        Value::String(one) => Some(vec![one.clone()]),
        Value::Array(many) => {
            Some(many.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        }
        _ => None,
    }
}

impl Claims {
    /// Refuses claims that cannot be stored.
    fn check(&self) -> Result<(), &'static str> {
        let optional = [&self.email, &self.session, &self.directory_id].into_iter().flatten();
        optional.chain([&self.subject]).try_for_each(|id| check_id(id))
    }

    /// What its owner knows an identity by.
    pub(super) fn label(&self) -> &str {
        self.email.as_deref().or(self.name.as_deref()).unwrap_or(&self.subject)
    }
}

/// Whoever has no verified address cannot have an account made.
pub(super) fn verified_email(claims: &Claims) -> Result<String, domain::Error> {
    let email = claims.email.as_deref().ok_or_else(|| {
        Code::UnverifiedAddress.because("the provider has verified no e-mail address of yours")
    })?;
    domain::checked_email(email)
}
