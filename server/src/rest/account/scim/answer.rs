//! How a directory is answered: in its own kind of JSON, with versions as tags, and refused in its words.

use std::sync::Arc;

use app::context::SiteAddress;
use axum::{
    Extension,
    body::{Body, to_bytes},
    extract::{FromRequestParts, Request},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::Code;
use http::{
    HeaderMap, HeaderValue, StatusCode,
    header::{CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_MATCH, IF_NONE_MATCH, LOCATION},
    request::Parts,
};
use serde::Deserialize;
use serde_json::{Value, json};
use services::account::scim::{Asked, Shape};

use crate::{Site, rest::base::extract::Query, site::problem::Problem};

const SCIM: &str = "application/scim+json";

/// What the query string of an address says.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Said {
    filter: Option<String>,
    start_index: Option<i64>,
    count: Option<i64>,
    attributes: Option<String>,
    excluded_attributes: Option<String>,
}

/// What is asked for, and how it is to be shown.
pub(super) struct Asking {
    pub(super) asked: Asked,
    pub(super) shape: Shape,
    /// The version that something has to have still (`If-Match`).
    pub(super) known: Option<String>,
    headers: HeaderMap,
}

impl FromRequestParts<Arc<Site>> for Asking {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, site: &Arc<Site>) -> Result<Self, Problem> {
        let Query(said) = Query::<Said>::from_request_parts(parts, site).await?;
        let address = Extension::<SiteAddress>::from_request_parts(parts, site).await;
        let Extension(SiteAddress(address)) =
            address.map_err(|why| Problem::of_request(Code::Internal, why.body_text()))?;
        let names = |said: &str| -> Vec<String> {
            said.split(',').map(|name| name.trim().to_owned()).collect()
        };
        let Said { filter, start_index, count, attributes, excluded_attributes } = said;
        Ok(Self {
            asked: Asked { filter, start_index, count },
            shape: Shape {
                site: address,
                only: attributes.as_deref().map(names),
                without: excluded_attributes.as_deref().map(names).unwrap_or_default(),
            },
            known: text(&parts.headers, &IF_MATCH).map(str::to_owned),
            headers: parts.headers.clone(),
        })
    }
}

impl Asking {
    /// Something that is asked for, unless whoever asks has it already.
    pub(super) fn loaded(&self, resource: &Value) -> Response {
        let version = version(resource);
        let is_known = |known: &str| {
            known.split(',').any(|known| known.trim() == "*" || Some(known.trim()) == version)
        };
        if text(&self.headers, &IF_NONE_MATCH).is_some_and(is_known) {
            let mut response = StatusCode::NOT_MODIFIED.into_response();
            tag(&mut response, resource);
            return response;
        }
        written(StatusCode::OK, resource)
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &http::HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn version(resource: &Value) -> Option<&str> {
    resource.pointer("/meta/version")?.as_str()
}

fn tag(response: &mut Response, resource: &Value) {
    if let Some(tag) = version(resource).and_then(|version| HeaderValue::try_from(version).ok()) {
        response.headers_mut().insert(ETAG, tag);
    }
}

/// An answer, with its version as its tag; of what was made, with where it is.
pub(super) fn written(status: StatusCode, resource: &Value) -> Response {
    let mut response = (status, resource.to_string()).into_response();
    tag(&mut response, resource);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(SCIM));
    let place = resource.pointer("/meta/location").and_then(Value::as_str);
    if let (StatusCode::CREATED, Some(place)) = (status, place)
        && let Ok(place) = HeaderValue::try_from(place)
    {
        headers.insert(LOCATION, place);
    }
    response
}

/// A refusal as every route has it.
#[derive(Deserialize)]
struct Refused {
    status: u16,
    detail: String,
    code: String,
    #[serde(default)]
    error: Value,
}

impl Refused {
    fn of(status: StatusCode) -> Self {
        let detail = status.canonical_reason().unwrap_or_default().to_owned();
        Self { status: status.as_u16(), detail, code: String::new(), error: Value::Null }
    }
}

/// Says refusals in the words of SCIM (RFC 7644, 3.12).
pub(crate) async fn refuse_in_its_words(request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let refused = match to_bytes(body, usize::MAX).await {
        // What no handler of ours has refused is said in other words, such as that a body is too large.
        Ok(body) => {
            serde_json::from_slice::<Refused>(&body).unwrap_or_else(|_| Refused::of(status))
        }
        Err(error) => {
            tracing::warn!(%error, "an answer broke off");
            Refused::of(StatusCode::INTERNAL_SERVER_ERROR)
        }
    };
    let (status, kind) = kind(&refused);
    let mut said = json!({
        "schemas": ["urn:ietf:params:scim:api:messages:2.0:Error"],
        "status": status.as_str(),
        "detail": refused.detail,
    });
    if let (Some(kind), Some(said)) = (kind, said.as_object_mut()) {
        said.insert("scimType".to_owned(), kind.into());
    }
    parts.status = status;
    parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static(SCIM));
    parts.headers.remove(CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(said.to_string()))
}

/// The status of a refusal, and what SCIM calls it (`scimType`).
fn kind(refused: &Refused) -> (StatusCode, Option<&'static str>) {
    let status = StatusCode::from_u16(refused.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let field = refused.error.pointer("/Invalid/field").and_then(Value::as_str);
    match (refused.code.as_str(), field, status) {
        // It is to be tried again, which a conflict is not.
        ("in-use", ..) => (StatusCode::SERVICE_UNAVAILABLE, None),
        ("taken", ..) => (StatusCode::CONFLICT, Some("uniqueness")),
        (_, Some("filter"), _) => (StatusCode::BAD_REQUEST, Some("invalidFilter")),
        (_, Some("path"), _) => (StatusCode::BAD_REQUEST, Some("invalidPath")),
        (_, Some("target"), _) => (StatusCode::BAD_REQUEST, Some("noTarget")),
        (_, Some("mutability"), _) => (StatusCode::BAD_REQUEST, Some("mutability")),
        (_, _, StatusCode::UNPROCESSABLE_ENTITY) => (StatusCode::BAD_REQUEST, Some("invalidValue")),
        ("malformed-request", ..) => (status, Some("invalidSyntax")),
        _ => (status, None),
    }
}
