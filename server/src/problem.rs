//! How a request is refused: `application/problem+json` (RFC 9457) with the product's own error.

use axum::{
    Json,
    extract::rejection::{JsonRejection, PathRejection, QueryRejection},
    response::{IntoResponse, Response},
};
use domain::{Error, ImportProblem, count};
use http::{
    HeaderValue, StatusCode,
    header::{CONTENT_TYPE, WWW_AUTHENTICATE},
};
use serde::Serialize;
use utoipa::ToSchema;

/// Why a request is refused.
#[derive(Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    detail: String,
    error: Option<Error>,
}

/// A refusal as it is written (RFC 9457).
#[derive(Serialize, ToSchema)]
#[schema(as = Problem)]
pub(crate) struct Body<'a> {
    r#type: &'static str,
    title: &'static str,
    status: u16,
    detail: &'a str,
    /// The same in the product's own words, for programs; what is wrong with the request itself is
    /// told by status and detail alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a Error>,
}

impl Problem {
    /// A refusal that is about the request, not about what it asks for.
    pub(crate) fn of_request(status: StatusCode, detail: impl Into<String>) -> Self {
        Self { status, detail: detail.into(), error: None }
    }

    /// Files that cannot be compared.
    pub(crate) fn of_compared(problems: Vec<ImportProblem>) -> Self {
        Self {
            status: StatusCode::UNPROCESSABLE_ENTITY,
            detail: format!(
                "nothing was compared: {} in the files",
                count(problems.len(), "error")
            ),
            error: Some(Error::InvalidImport(problems)),
        }
    }

    pub(crate) const fn status(&self) -> StatusCode {
        self.status
    }

    /// The refusal in the product's own words; one of the request itself is told by its detail.
    pub(crate) fn into_error(self) -> Error {
        let Self { detail, error, .. } = self;
        error.unwrap_or_else(|| Error::invalid("request", detail))
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let status = StatusCode::from_u16(error.status());
        Self {
            status: status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            detail: error.to_string(),
            error: Some(error),
        }
    }
}

impl From<services::Error> for Problem {
    fn from(error: services::Error) -> Self {
        Error::from(error).into()
    }
}

/// An address whose parts are no ids leads nowhere.
impl From<PathRejection> for Problem {
    fn from(_: PathRejection) -> Self {
        Error::NotFound.into()
    }
}

impl From<JsonRejection> for Problem {
    fn from(rejection: JsonRejection) -> Self {
        Self::of_request(rejection.status(), rejection.body_text())
    }
}

impl From<QueryRejection> for Problem {
    fn from(rejection: QueryRejection) -> Self {
        Error::invalid("query", rejection.body_text()).into()
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = Body {
            r#type: "about:blank",
            title: self.status.canonical_reason().unwrap_or_default(),
            status: self.status.as_u16(),
            detail: &self.detail,
            error: self.error.as_ref(),
        };
        let mut response = (self.status, Json(body)).into_response();
        let content_type = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(CONTENT_TYPE, content_type);
        if self.status == StatusCode::UNAUTHORIZED {
            let how = HeaderValue::from_static("Bearer realm=\"concord\"");
            response.headers_mut().insert(WWW_AUTHENTICATE, how);
        }
        response
    }
}
