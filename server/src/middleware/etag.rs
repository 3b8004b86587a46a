//! Answers that a program has already are not sent again: JSON that is asked for gets an `ETag`,
//! and `If-None-Match` with it a 304.

use axum::{
    body::{Body, to_bytes},
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use http::{
    HeaderMap, HeaderValue, StatusCode,
    header::{CONTENT_TYPE, ETAG, IF_NONE_MATCH},
};
use sha2::{Digest, Sha256};

/// Tags an answer, unless it has a tag, and leaves out what the program has.
pub(crate) async fn tag(request: Request, next: Next) -> Response {
    let asks = request.method().is_safe();
    let known = request.headers().get(IF_NONE_MATCH).cloned();
    let response = next.run(request).await;
    if !asks || response.status() != StatusCode::OK || !is_json(response.headers()) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    // Such answers are in memory already; there is no limit to hold them to.
    let body = match to_bytes(body, usize::MAX).await {
        Ok(body) => body,
        Err(error) => {
            tracing::warn!(%error, "an answer broke off");
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        }
    };
    let tag = parts.headers.entry(ETAG).or_insert_with(|| of_content(&body)).clone();
    if known.is_some_and(|known| matches(&known, &tag)) {
        let mut response = StatusCode::NOT_MODIFIED.into_response();
        response.headers_mut().insert(ETAG, tag);
        return response;
    }
    Response::from_parts(parts, Body::from(body))
}

fn is_json(headers: &HeaderMap) -> bool {
    headers.get(CONTENT_TYPE).is_some_and(|kind| kind == "application/json")
}

fn of_content(body: &[u8]) -> HeaderValue {
    let digest = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(body));
    HeaderValue::try_from(format!("\"{digest}\"")).unwrap_or(HeaderValue::from_static("\"\""))
}

/// Whether a tag is among those that a program has (RFC 9110, 13.1.2: weak ones match, too).
fn matches(known: &HeaderValue, tag: &HeaderValue) -> bool {
    let (Ok(known), Ok(tag)) = (known.to_str(), tag.to_str()) else { return false };
    known
        .split(',')
        .map(str::trim)
        .any(|one| one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_found_in_a_list_weak_or_not() {
        let tag = HeaderValue::from_static("\"3\"");
        for (known, found) in [
            ("\"3\"", true),
            ("\"2\", W/\"3\"", true),
            ("*", true),
            ("\"33\"", false),
            ("3", false),
        ] {
            assert_eq!(matches(&HeaderValue::from_static(known), &tag), found, "{known}");
        }
    }
}
