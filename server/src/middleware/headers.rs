//! The headers that tell browsers what an answer may do: no script but ours, no frame around it,
//! no copy of it in a cache.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use http::{
    HeaderName, HeaderValue,
    header::{
        CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY,
        X_CONTENT_TYPE_OPTIONS,
    },
};
use leptos::nonce::Nonce;

use crate::Site;

/// Headers that are the same on every answer.
const ALWAYS: [(HeaderName, &str); 5] = [
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // Whoever has the address of an invitation can accept it: no other server is to see it. Ours
    // needs it, to lead a form that was refused back to its page.
    (REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
];

/// Makes the nonce of this answer, for the page to put on its scripts, and adds the headers.
pub(crate) async fn protect(
    State(site): State<Arc<Site>>,
    mut request: Request,
    next: Next,
) -> Response {
    let nonce = Nonce::new();
    request.extensions_mut().insert(nonce.clone());

    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(CONTENT_SECURITY_POLICY, content_security_policy(&nonce));
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if site.cookie.secure {
        let year = HeaderValue::from_static("max-age=31536000; includeSubDomains");
        headers.insert(STRICT_TRANSPORT_SECURITY, year);
    }
    response
}

fn content_security_policy(nonce: &Nonce) -> HeaderValue {
    let policy = format!(
        "default-src 'none'; script-src 'self' 'nonce-{nonce}' 'wasm-unsafe-eval'; \
         style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; \
         manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
         object-src 'none'"
    );
    // A nonce is base64: a header can hold it. If it ever could not, nothing is to run.
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}
