//! The ways to a provider and back, and what a provider says by itself.

use std::sync::Arc;

use app::context::{SessionCookie, SiteAddress, client_of, cookie, way_back};
use axum::{
    Extension, Form,
    extract::{Path, Query, State},
    response::{AppendHeaders, IntoResponse, Redirect, Response},
};
use domain::{Actor, Code, Error};
use http::{StatusCode, header::SET_COOKIE, request::Parts};
use reqwest::Url;
use serde::Deserialize;
use services::account::{self, Answer, Entered, Wanted};

use crate::{Site, middleware::access::csrf::is_ours, site::problem::Problem};

/// What a link to a provider asks for.
#[derive(Deserialize)]
pub(crate) struct Asked {
    /// The page to come back to.
    back: Option<String>,
    /// The token of an invitation that is to be accepted.
    invitation: Option<String>,
    /// Whether an identity is to be added to the account that is signed in.
    link: Option<String>,
    /// Whether one is to prove anew who one is.
    again: Option<String>,
}

/// Leads a browser to a provider.
pub(crate) async fn ask(
    State(site): State<Arc<Site>>,
    Path(provider): Path<String>,
    Query(asked): Query<Asked>,
    Extension(address): Extension<SiteAddress>,
    Extension(actor): Extension<Actor>,
    Extension(names): Extension<SessionCookie>,
    parts: Parts,
) -> Response {
    let wanted = match (asked.link, asked.invitation) {
        // Another site's link would have whoever follows it add what is not theirs.
        (Some(_), _) if !is_ours(&parts.headers, &parts.uri, site.public_url.as_ref()) => {
            let why = "this link does not come from this site";
            return lead_back(&provider, &names, Code::ForeignOrigin.because(why));
        }
        (Some(_), _) => Wanted::Identity,
        (None, Some(token)) => Wanted::Invitation(token),
        (None, None) if asked.again.is_some() => Wanted::SignInAgain,
        (None, None) => Wanted::SignIn,
    };
    let (client, back) = (client_of(&parts), way_back(asked.back.as_deref()));
    let place = (provider.as_str(), address.0.as_str());
    match account::ask_provider(&site.services, &actor, &client, place, wanted, back).await {
        Ok(asked) => {
            let kept = names.question(Some(&asked.question));
            (AppendHeaders([(SET_COOKIE, kept)]), Redirect::to(&asked.address)).into_response()
        }
        Err(error) => lead_back(&provider, &names, error.into()),
    }
}

/// Takes a browser in that a provider sends back.
pub(crate) async fn enter(
    State(site): State<Arc<Site>>,
    Path(provider): Path<String>,
    Query(answer): Query<Answer>,
    Extension(address): Extension<SiteAddress>,
    Extension(actor): Extension<Actor>,
    Extension(names): Extension<SessionCookie>,
    parts: Parts,
) -> Response {
    let client = client_of(&parts);
    let kept = cookie(&parts.headers, names.question_name());
    let place = (provider.as_str(), address.0.as_str());
    let over = AppendHeaders([(SET_COOKIE, names.question(None))]);
    let entered =
        account::enter_by_provider(&site.services, &actor, &client, place, kept, answer).await;
    match entered {
        Ok(Entered::Session { session, back }) => {
            let started = names.started(&session).map(|value| (SET_COOKIE, value));
            let on = Redirect::to(way_back(Some(&back)));
            (over, AppendHeaders(started), on).into_response()
        }
        Ok(Entered::Linked) => (over, Redirect::to("/account?changed=linked")).into_response(),
        Err(error) => lead_back(&provider, &names, error.into()),
    }
}

/// What a provider says when somebody's session there is over.
#[derive(Deserialize)]
pub(crate) struct Logout {
    logout_token: String,
}

/// Ends sessions for a provider.
pub(crate) async fn end_sessions(
    State(site): State<Arc<Site>>,
    Path(provider): Path<String>,
    Form(logout): Form<Logout>,
) -> Response {
    let ended = account::end_by_provider(&site.services, &provider, &logout.logout_token).await;
    match ended.map_err(Error::from) {
        Ok(()) => StatusCode::OK.into_response(),
        // It tries once more where that may help; OpenID Connect has 400 for the rest.
        Err(error) if error.may_pass() || error.code() == Code::NotOffered => {
            Problem::from(Error::Busy).into_response()
        }
        Err(_) => Problem::of_request(Code::MalformedRequest, "this logout token was refused")
            .into_response(),
    }
}

/// Leads a browser that did not get in to the page where one signs in, which says why by the name of
/// the refusal: no link puts words of its own there.
fn lead_back(provider: &str, names: &SessionCookie, error: Error) -> Response {
    let why = serde_json::to_value(error.code()).ok();
    let why = why.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default();
    let path = Url::parse_with_params(
        "http://concord.invalid/sign-in",
        [("provider", provider), ("why", why)],
    );
    let path = path.ok().and_then(|url| Some(format!("/sign-in?{}", url.query()?)));
    let over = AppendHeaders([(SET_COOKIE, names.question(None))]);
    (over, Redirect::to(path.as_deref().unwrap_or("/sign-in"))).into_response()
}
