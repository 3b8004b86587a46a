//! Revisions as tags: what is asked for has the tag of its revision, and what is to be changed is
//! changed only if it still has the tag that the program knows.

use axum::{
    Json,
    extract::FromRequestParts,
    response::{IntoResponse, Response},
};
use chrono::{DateTime, Utc};
use domain::{Code, Revision};
use http::{
    HeaderValue,
    header::{ETAG, IF_MATCH},
    request::Parts,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::site::problem::Problem;

/// The revision that a change is based on, from `If-Match`.
pub(crate) struct IfMatch(pub(in crate::rest) Revision);

impl<S: Send + Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let Some(tag) = parts.headers.get(IF_MATCH) else {
            let why = "If-Match with the revision's ETag is required";
            return Err(Problem::of_request(Code::RevisionRequired, why));
        };
        let tag = tag.to_str().unwrap_or_default().trim();
        let revision = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"'));
        let is_number = |text: &&str| text.bytes().all(|byte| byte.is_ascii_digit());
        match revision.filter(is_number).and_then(|revision| revision.parse().ok()) {
            Some(revision) => Ok(Self(revision)),
            None => Err(moved_on()),
        }
    }
}

fn moved_on() -> Problem {
    let why = "this has changed since the revision in If-Match; nothing was changed";
    Problem::of_request(Code::RevisionMovedOn, why)
}

fn tag(revision: Revision) -> HeaderValue {
    HeaderValue::try_from(format!("\"{revision}\"")).unwrap_or(HeaderValue::from_static("\"\""))
}

/// An answer with the tag of its revision.
pub(in crate::rest) fn tagged<T: Serialize>(revision: Revision, body: T) -> Response {
    ([(ETAG, tag(revision))], Json(body)).into_response()
}

/// A refusal with the tag of what is there now.
pub(in crate::rest) fn conflict(now: Revision) -> Response {
    ([(ETAG, tag(now))], moved_on()).into_response()
}

/// What came of a change.
#[derive(Serialize, ToSchema)]
pub(crate) struct Changed {
    /// The revision from here on; the answer's `ETag` is the same.
    pub(in crate::rest) revision: Revision,
    pub(in crate::rest) saved_at: DateTime<Utc>,
}
