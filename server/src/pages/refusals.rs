//! What a form that was refused leaves for the page that it is led back to.
//!
//! `server_fn` writes a refusal into that page's address, where a stranger's link could put words
//! of their own into our page. Here it goes by a cookie instead, under a number that the address
//! holds: the page says what the same browser was told a moment ago, and nothing else.

use app::{
    ApiError,
    context::{SessionCookie, cookie},
};
use axum::{extract::Request, response::Response};
use base64::{Engine, engine::general_purpose::URL_SAFE};
use domain::Code;
use http::{
    HeaderValue, Uri,
    header::{LOCATION, SET_COOKIE},
    uri::PathAndQuery,
};
use rand::Rng;
use reqwest::Url;
use server_fn::error::FromServerFnError;

/// What an address has that leads back to a form: the number of what was refused.
const MARK: &str = "refused";

/// How `server_fn` writes a refusal: the function's path, and the refusal itself.
const FUNCTION: &str = "__path";
const REFUSAL: &str = "__err";

/// What browsers keep of a cookie: 4,096 bytes with its name and what it is for.
const LONGEST: usize = 3_800;

/// The name of the cookie: with https, no other site of the same domain can set it.
const fn name(session: &SessionCookie) -> &'static str {
    if session.secure { "__Host-concord-refusal" } else { "concord-refusal" }
}

/// The parts of an address's query.
type Pairs = Vec<(String, String)>;

/// Whether Leptos would take this part of an address for a refusal.
fn is_of_leptos((name, _): &(String, String)) -> bool {
    [FUNCTION, REFUSAL].contains(&name.as_str())
}

/// Takes a refusal out of the address that an answer leads to, and leaves it in the browser.
pub(crate) fn leave(response: &mut Response, session: &SessionCookie) {
    let location = response.headers().get(LOCATION).and_then(|it| it.to_str().ok());
    let Some(mut url) = location.and_then(|it| Url::parse(it).ok()) else { return };
    let pairs: Pairs = url.query_pairs().into_owned().collect();
    let (refusal, mut others): (Pairs, Pairs) = pairs.into_iter().partition(is_of_leptos);
    let before = others.len();
    // What was refused before is over.
    others.retain(|(name, _)| name != MARK);
    if refusal.is_empty() && others.len() == before {
        return;
    }
    if !refusal.is_empty() {
        let number = format!("{:032x}", rand::rng().random::<u128>());
        if let Some(set) = written(session, &number, refusal) {
            response.headers_mut().append(SET_COOKIE, set);
        }
        others.push((MARK.to_owned(), number));
    }
    url.set_query((!others.is_empty()).then(|| joined(&others)).as_deref());
    if let Ok(location) = HeaderValue::try_from(url.as_str()) {
        response.headers_mut().insert(LOCATION, location);
    }
}

/// The `Set-Cookie` value that leaves a refusal under a number.
fn written(session: &SessionCookie, number: &str, refusal: Pairs) -> Option<HeaderValue> {
    let mut refusal = refusal;
    if joined(&refusal).len() > LONGEST {
        let error =
            ApiError::App(Code::Denied.because("refused; the reason is too long to show here"));
        let error = URL_SAFE.encode(error.ser());
        for (_, value) in refusal.iter_mut().filter(|(name, _)| name == REFUSAL) {
            value.clone_from(&error);
        }
    }
    let value = format!("{number}.{}", joined(&refusal));
    HeaderValue::try_from(attributed(session, &value, 60)).ok()
}

fn attributed(session: &SessionCookie, value: &str, seconds: u32) -> String {
    let name = name(session);
    let secure = if session.secure { "; Secure" } else { "" };
    format!("{name}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}")
}

/// Puts what this browser was told under the address's number where Leptos looks for it, and nothing
/// that the address says itself. The answer is to remove the cookie.
pub(crate) fn restore(request: &mut Request) -> Option<HeaderValue> {
    let query = request.uri().query()?;
    let pairs = read(query);
    let (own, mut others): (Pairs, Pairs) = pairs.into_iter().partition(|(name, _)| name == MARK);
    let before = others.len();
    others.retain(|pair| !is_of_leptos(pair));
    if own.is_empty() && others.len() == before {
        return None;
    }
    let session = request.extensions().get::<SessionCookie>().cloned();
    let left = session.as_ref().and_then(|session| cookie(request.headers(), name(session)));
    let told = left.and_then(|left| left.split_once('.')).and_then(|(number, refusal)| {
        own.iter().any(|(_, asked)| asked == number).then(|| read(refusal))
    });
    let is_told = told.is_some();
    let told = told.unwrap_or_default();
    others.extend(told.into_iter().filter(is_of_leptos));
    let path = format!("{}?{}", request.uri().path(), joined(&others));
    let mut parts = request.uri().clone().into_parts();
    parts.path_and_query = PathAndQuery::try_from(path).ok();
    *request.uri_mut() = Uri::from_parts(parts).unwrap_or_default();
    let removed = session.filter(|_| is_told).map(|session| attributed(&session, "", 0));
    removed.and_then(|value| HeaderValue::try_from(value).ok())
}

fn read(query: &str) -> Pairs {
    // Read as the rest of the site reads it; the host is nobody's.
    let url = Url::parse(&format!("http://concord.invalid/?{query}"));
    url.map(|url| url.query_pairs().into_owned().collect()).unwrap_or_default()
}

fn joined(pairs: &Pairs) -> String {
    let mut url = Url::parse("http://concord.invalid/").ok();
    if let Some(url) = &mut url {
        url.query_pairs_mut().extend_pairs(pairs);
    }
    url.as_ref().and_then(Url::query).unwrap_or_default().to_owned()
}
