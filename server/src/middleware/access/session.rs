//! Finds out who is asking, once for each request. Nothing else makes an [`Actor`].

use std::sync::Arc;

use app::context::{SessionToken, SiteAddress, cookie};
use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::{Actor, Code, base::policy::Reach};
use http::{HeaderMap, header::AUTHORIZATION};
use services::{Services, account};

use super::host::named;
use crate::{
    Site,
    site::{
        in_flight::{Progress, Stage},
        problem::Problem,
    },
};

/// What a request comes with to say who is asking.
#[derive(Clone)]
pub(crate) enum Credential {
    /// The token of a browser's session.
    Session(String),
    /// The token of a program.
    Token(String),
    /// The token of a directory.
    Directory(String),
}

impl Credential {
    /// What nobody else has.
    pub(crate) fn secret(&self) -> &str {
        match self {
            Self::Session(token) | Self::Token(token) | Self::Directory(token) => token,
        }
    }

    /// Who comes with it, at this moment, for a request that needs a scope to reach so far.
    pub(crate) async fn actor(
        &self,
        services: &Arc<Services>,
        needed: Reach,
    ) -> Result<Actor, services::Error> {
        match self {
            Self::Session(token) => account::actor_of(services, token).await,
            Self::Token(token) => account::actor_of_token(services, token, needed).await,
            Self::Directory(token) => account::scim::actor_of_directory(services, token).await,
        }
    }
}

/// The token of a program that a request comes with.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Whether programs are answered here: what is for pages, they never reach.
fn is_for_programs(path: &str) -> bool {
    path.starts_with("/api/v1/") || path.starts_with("/events/")
}

/// Whether directories are answered here, and nobody else.
fn is_for_directories(path: &str) -> bool {
    path.starts_with("/scim/v2/")
}

/// Puts the services, the site's address, the form of the session cookie, what the request came
/// with and who is asking into the request.
pub(crate) async fn find_actor(
    State(site): State<Arc<Site>>,
    mut request: Request,
    next: Next,
) -> Response {
    let progress = request.extensions().get::<Progress>().cloned().unwrap_or_default();
    progress.reach(Stage::Session);
    let credential = match credential(&site, &request) {
        Ok(credential) => credential,
        Err(problem) => return problem.into_response(),
    };
    let needed = if request.method().is_safe() { Reach::Read } else { Reach::Change };
    let actor = match &credential {
        None => Actor::Anonymous,
        Some(credential) => match credential.actor(&site.services, needed).await {
            Ok(Actor::Anonymous) if !matches!(credential, Credential::Session(_)) => {
                let why = "this token is invalid, revoked or expired";
                return Problem::of_request(Code::InvalidToken, why).into_response();
            }
            Ok(actor) => actor,
            Err(error) => return Problem::from(error).into_response(),
        },
    };
    let address = SiteAddress(address(&site, &request));
    let relying_party = site.relying_party(named(&request).as_deref()).cloned();
    let extensions = request.extensions_mut();
    if let Some(relying_party) = relying_party {
        extensions.insert(relying_party);
    }
    extensions.insert(address);
    extensions.insert(Arc::clone(&site.services));
    extensions.insert(site.cookie.clone());
    extensions.insert(actor);
    if let Some(credential) = credential {
        if let Credential::Session(token) = &credential {
            extensions.insert(SessionToken(token.clone()));
        }
        extensions.insert(credential);
    }
    progress.reach(Stage::Answering);
    next.run(request).await
}

/// The session or the token that a request comes with. With both, nobody could say whose rights it
/// has; and what a token opens is not for pages.
fn credential(site: &Site, request: &Request) -> Result<Option<Credential>, Problem> {
    let session = cookie(request.headers(), site.cookie.name);
    match (session, bearer(request.headers())) {
        (Some(_), Some(_)) => {
            let why = "send a session or a token, not both";
            Err(Problem::of_request(Code::TwoCredentials, why))
        }
        (None, Some(token)) if is_for_directories(request.uri().path()) => {
            Ok(Some(Credential::Directory(token.to_owned())))
        }
        (None, Some(_)) if !is_for_programs(request.uri().path()) => {
            let why = "tokens work only under /api/v1 and /events";
            Err(Problem::of_request(Code::PeopleOnly, why))
        }
        (None, Some(token)) => Ok(Some(Credential::Token(token.to_owned()))),
        (session, None) => Ok(session.map(|token| Credential::Session(token.to_owned()))),
    }
}

/// The address that this request reached the site at.
fn address(site: &Site, request: &Request) -> String {
    if let Some(url) = &site.public_url {
        return url.to_string();
    }
    // It has been looked at: it is one of ours.
    format!("http://{}", named(request).as_deref().unwrap_or("localhost"))
}
