//! What tells a request from another one: a hash of all that it asks for.

use axum::body::Bytes;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use domain::Code;
use http::{
    HeaderMap,
    header::{CONTENT_TYPE, IF_MATCH},
    request::Parts,
};
use memchr::memmem;
use sha2::{Digest, Sha256};

use crate::{middleware::access::session::Credential, site::problem::Problem};

/// The longest boundary that a form may have (RFC 2046, 5.1.1).
const LONGEST_BOUNDARY: usize = 70;

/// From so many bytes on, a body is hashed on a thread that may block.
const LONG: usize = 64 * 1024;

/// What the same request has again. The boundary of a form is drawn anew for each request and means
/// nothing, so it is left out.
pub(crate) async fn fingerprint(parts: &Parts, body: Bytes) -> Result<String, Problem> {
    let boundary = boundary(&parts.headers)?.map(str::to_owned);
    let if_match = parts.headers.get(IF_MATCH).and_then(|value| value.to_str().ok());
    let mut hash = Sha256::new();
    // A key belongs to the token or session that it came with.
    let credential = parts.extensions.get::<Credential>().map(Credential::secret);
    let [if_match, credential] = [if_match, credential].map(Option::unwrap_or_default);
    for part in [parts.method.as_str(), &parts.uri.to_string(), if_match, credential] {
        hash.update(part);
        hash.update([0]);
    }
    if body.len() < LONG {
        return Ok(hashed(hash, &body, boundary.as_deref()));
    }
    let work = move || hashed(hash, &body, boundary.as_deref());
    tokio::task::spawn_blocking(work).await.map_err(|_| {
        let why = "the request could not be read";
        Problem::of_request(Code::Internal, why)
    })
}

/// What stands between the parts of a form; none if the request brings none.
pub(crate) fn boundary(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    let kind = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let Some((_, rest)) = kind.split_once("boundary=") else { return Ok(None) };
    let boundary = rest.split(';').next().unwrap_or_default().trim().trim_matches('"');
    if boundary.len() > LONGEST_BOUNDARY {
        let why = format!("the boundary of a form has at most {LONGEST_BOUNDARY} characters");
        return Err(Problem::of_request(Code::MalformedRequest, why));
    }
    Ok((!boundary.is_empty()).then_some(boundary))
}

fn hashed(mut hash: Sha256, body: &[u8], boundary: Option<&str>) -> String {
    let mut rest = body;
    if let Some(boundary) = boundary {
        let finder = memmem::Finder::new(boundary);
        while let Some(at) = finder.find(rest) {
            let (before, after) = rest.split_at(at);
            hash.update(before);
            hash.update([0]);
            rest = after.get(boundary.len()..).unwrap_or_default();
        }
    }
    hash.update(rest);
    BASE64_URL_SAFE_NO_PAD.encode(hash.finalize())
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    async fn of(method: &str, content_type: &str, body: impl Into<Bytes>) -> String {
        let request = Request::builder().method(method).uri("/api/v1/x");
        let request = request.header(CONTENT_TYPE, content_type).body(()).unwrap();
        fingerprint(&request.into_parts().0, body.into()).await.unwrap()
    }

    #[tokio::test]
    async fn the_same_form_is_the_same_whatever_its_boundary() {
        let form = async |cut: &str, text: &str| {
            let kind = format!("multipart/form-data; boundary={cut}");
            of("POST", &kind, format!("--{cut}\r\n\r\n{text}\r\n--{cut}--\r\n")).await
        };
        assert_eq!(form("cut", "a").await, form("a1b2c3", "a").await);
        assert_ne!(form("cut", "a").await, form("cut", "b").await);
        let long = "a".repeat(2 * LONG);
        assert_eq!(form("cut", &long).await, form("a1b2c3", &long).await);
    }

    #[tokio::test]
    async fn another_method_or_body_is_another_request() {
        let json = "application/json";
        assert_eq!(of("PUT", json, "{}").await, of("PUT", json, "{}").await);
        assert_ne!(of("PUT", json, "{}").await, of("POST", json, "{}").await);
        assert_ne!(of("PUT", json, "{}").await, of("PUT", json, "[]").await);
    }

    #[test]
    fn a_boundary_is_no_longer_than_the_standard_allows() {
        let of = |boundary: &str| {
            let mut headers = HeaderMap::new();
            let kind = format!("multipart/form-data; boundary=\"{boundary}\"; charset=utf-8");
            headers.insert(CONTENT_TYPE, kind.parse().unwrap());
            boundary_of(&headers)
        };
        assert_eq!(of(&"x".repeat(70)), Some("x".repeat(70)));
        assert_eq!(of(&"x".repeat(71)), None);
        assert_eq!(boundary(&HeaderMap::new()).unwrap(), None);
    }

    fn boundary_of(headers: &HeaderMap) -> Option<String> {
        boundary(headers).ok().flatten().map(str::to_owned)
    }

    #[tokio::test]
    async fn what_is_almost_a_boundary_everywhere_is_read_once() {
        let kind = format!("multipart/form-data; boundary={}b", "a".repeat(69));
        let asked = of("POST", &kind, "a".repeat(16 * 1024 * 1024));
        // A search that starts anew at each byte takes many times as long.
        tokio::time::timeout(std::time::Duration::from_secs(20), asked).await.unwrap();
    }
}
