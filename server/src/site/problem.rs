//! How a request is refused: `application/problem+json` (RFC 9457) with the product's own error.

use std::{error, iter};

use axum::{
    Json,
    extract::rejection::{JsonRejection, PathRejection, QueryRejection},
    response::{IntoResponse, Response},
};
use domain::{Code, Error, ImportProblem, count};
use http::{
    HeaderValue, StatusCode,
    header::{CONTENT_TYPE, WWW_AUTHENTICATE},
};
use http_body_util::LengthLimitError;
use serde::Serialize;
use utoipa::ToSchema;

/// Why a request is refused.
#[derive(Debug)]
pub(crate) struct Problem {
    code: Code,
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
    /// Which refusal it is: its name never changes, its words may.
    code: Code,
    /// The same in the product's own words, for programs; what is wrong with the request itself is
    /// told by status and detail alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a Error>,
}

impl Problem {
    /// A refusal that is about the request, not about what it asks for.
    pub(crate) fn of_request(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), error: None }
    }

    /// What a body cannot be read for, in the words of whoever tried.
    pub(crate) fn of_body(status: StatusCode, detail: String) -> Self {
        let code = match status {
            StatusCode::PAYLOAD_TOO_LARGE => Code::TooLarge,
            StatusCode::UNSUPPORTED_MEDIA_TYPE => Code::UnsupportedBody,
            StatusCode::UNPROCESSABLE_ENTITY => Code::Malformed,
            status if status.is_server_error() => Code::Internal,
            _ => Code::MalformedRequest,
        };
        Self::of_request(code, detail)
    }

    /// Files that cannot be compared.
    pub(crate) fn of_compared(problems: Vec<ImportProblem>) -> Self {
        Self {
            code: Code::InvalidFiles,
            detail: format!("nothing compared: {} in the files", count(problems.len(), "error")),
            error: Some(Error::InvalidImport(problems)),
        }
    }

    pub(crate) fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// The refusal in the product's own words; one of the request itself is told by its detail.
    pub(crate) fn into_error(self) -> Error {
        let Self { code, detail, error } = self;
        error.unwrap_or_else(|| code.of("request", detail))
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        Self { code: error.code(), detail: error.to_string(), error: Some(error) }
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
        // Axum does not see it within what other parts of the server have made of the body.
        let refused: &(dyn error::Error + 'static) = &rejection;
        let mut causes = iter::successors(Some(refused), |cause| cause.source());
        let status = if causes.any(<dyn error::Error>::is::<LengthLimitError>) {
            StatusCode::PAYLOAD_TOO_LARGE
        } else {
            rejection.status()
        };
        Self::of_body(status, rejection.body_text())
    }
}

impl From<QueryRejection> for Problem {
    fn from(rejection: QueryRejection) -> Self {
        Code::Malformed.of("query", rejection.body_text()).into()
    }
}

/// Marks a refusal that stands: the request is carried out, or may be, and is not to be carried out again.
#[derive(Clone)]
pub(crate) struct Settled;

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.status();
        let body = Body {
            r#type: "about:blank",
            title: status.canonical_reason().unwrap_or_default(),
            status: status.as_u16(),
            detail: &self.detail,
            code: self.code,
            error: self.error.as_ref(),
        };
        let mut response = (status, Json(body)).into_response();
        let content_type = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(CONTENT_TYPE, content_type);
        if matches!(self.code, Code::Unfinished | Code::OutcomeUnknown) {
            response.extensions_mut().insert(Settled);
        }
        if status == StatusCode::UNAUTHORIZED {
            let how = HeaderValue::from_static("Bearer realm=\"concord\"");
            response.headers_mut().insert(WWW_AUTHENTICATE, how);
        }
        response
    }
}
