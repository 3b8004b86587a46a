//! Revisions as tags: what is asked for has the tag of its revision, and what is to be changed is
//! changed only if it still has the tag that the program knows.

use axum::{
    Json,
    extract::FromRequestParts,
    response::{IntoResponse, Response},
};
use chrono::{DateTime, Utc};
use domain::{Code, ReviewOutcome, Revision, SaveOutcome};
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
    revision: Revision,
    saved_at: DateTime<Utc>,
}

/// A change to somebody's work, or what is there in its place.
pub(in crate::rest) enum Change {
    Saved(Changed),
    Conflict(Revision),
}

impl From<SaveOutcome> for Change {
    fn from(outcome: SaveOutcome) -> Self {
        match outcome {
            SaveOutcome::Saved { revision, saved_at } => {
                Self::Saved(Changed { revision, saved_at })
            }
            SaveOutcome::Conflict(there) => Self::Conflict(there.revision),
        }
    }
}

impl From<ReviewOutcome> for Change {
    fn from(outcome: ReviewOutcome) -> Self {
        match outcome {
            ReviewOutcome::Saved { revision, saved_at } => {
                Self::Saved(Changed { revision, saved_at })
            }
            ReviewOutcome::Conflict(there) => Self::Conflict(there.revision),
        }
    }
}

impl IntoResponse for Change {
    fn into_response(self) -> Response {
        match self {
            Self::Saved(changed) => tagged(changed.revision, changed),
            Self::Conflict(now) => conflict(now),
        }
    }
}
