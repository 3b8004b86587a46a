//! Refuses requests that another site made in a visitor's name. Browsers say where a request comes
//! from (`Sec-Fetch-Site`); those that do not still send its origin. Another site cannot make a
//! browser send the token of a program, and a request with one gets nothing by a session.
//! Where others send what is signed (`SIGNED`), what is signed permits it.

use std::sync::Arc;

use axum::{
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::Code;
use http::{HeaderMap, Uri, header};

use super::session::bearer;
use crate::{
    PublicUrl, Site,
    site::{problem::Problem, route::SIGNED},
};

/// Lets a request that may change something pass only if it comes from this very site.
pub(crate) async fn refuse_forged(
    State(site): State<Arc<Site>>,
    request: Request,
    next: Next,
) -> Response {
    let path = request.extensions().get::<MatchedPath>();
    let is_signed = path.is_some_and(|path| SIGNED.contains(&path.as_str()));
    if request.method().is_safe()
        || is_signed
        || bearer(request.headers()).is_some()
        || is_ours(request.headers(), request.uri(), site.public_url.as_ref())
    {
        return next.run(request).await;
    }
    tracing::info!("a request from another site was refused");
    let detail = "this request does not come from this site";
    Problem::of_request(Code::ForeignOrigin, detail).into_response()
}

/// Whether one of our own pages makes a request, or whoever typed its address.
pub(crate) fn is_ours(headers: &HeaderMap, uri: &Uri, public_url: Option<&PublicUrl>) -> bool {
    if let Some(site) = text(headers, "sec-fetch-site") {
        return site == "same-origin" || site == "none";
    }
    let Some(origin) = text(headers, header::ORIGIN.as_str()) else { return false };
    if public_url.is_some_and(|url| origin.eq_ignore_ascii_case(&url.to_string())) {
        return true;
    }
    let host = uri
        .authority()
        .map(http::uri::Authority::as_str)
        .or_else(|| text(headers, header::HOST.as_str()));
    let origin = origin.split_once("://").map(|(_, host)| host);
    host.zip(origin).is_some_and(|(host, origin)| host.eq_ignore_ascii_case(origin))
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}
