//! A number and a line in the log for each request. What people send, and addresses that are
//! secrets themselves, stay out of it: a request is named by its route.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::Response,
};
use http::{HeaderName, HeaderValue, Method, StatusCode};
use rand::Rng;
use services::held_for;
use tracing::{Instrument, Span};

use crate::{Site, site::in_flight::Stage};

/// What spans that are for traces alone belong to: the log has requests of its own.
pub(crate) const TRACED: &str = "concord::traces";

/// The header that tells the request's number.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Numbers a request, knows it and what it holds connections for by the same name as long as it is
/// answered, and logs how it went.
pub(crate) async fn trace(
    State(site): State<Arc<Site>>,
    mut request: Request,
    next: Next,
) -> Response {
    let id = format!("{:016x}", rand::rng().random::<u64>());
    let route = request.extensions().get::<MatchedPath>().map_or("no route", MatchedPath::as_str);
    let route_kind = kind_of(route);
    // Of the highest level, or what is logged of a request would lack it where the log has nothing lower.
    let span = tracing::error_span!("request", id, method = %request.method(), route);
    let traced = request_span(&id, request.method(), route);
    let (place, progress) = site.in_flight.begin(&id, request.method(), route);
    let name = place.name();
    request.extensions_mut().insert(progress.clone());
    let answered = async {
        let started = Instant::now();
        let response = held_for(name, next.run(request)).await;
        let (status, took) = (response.status(), started.elapsed());
        count(route_kind, status, took);
        note_answer(&Span::current(), status);
        match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                tracing::info!(%status, ?took, "refused");
            }
            _ if status.is_server_error() => tracing::warn!(%status, ?took, "failed"),
            _ => tracing::debug!(%status, ?took, "answered"),
        }
        response
    };
    let mut response =
        answered.instrument(traced).instrument(span).await.map(|body| place.until_sent(body));
    progress.reach(Stage::Sending);
    if let Ok(id) = HeaderValue::try_from(id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}

/// The span of a request, in the words of `OpenTelemetry`'s conventions for HTTP.
fn request_span(id: &str, method: &Method, route: &str) -> Span {
    tracing::trace_span!(
        target: TRACED,
        "request",
        otel.name = format!("{method} {route}"),
        otel.kind = "server",
        otel.status_code = tracing::field::Empty,
        http.request.method = %method,
        http.route = route,
        http.response.status_code = tracing::field::Empty,
        request.id = id,
    )
}

/// Notes how a request was answered.
fn note_answer(span: &Span, status: StatusCode) {
    span.record("http.response.status_code", i64::from(status.as_u16()));
    if status.is_server_error() {
        span.record("otel.status_code", "ERROR");
    }
}

/// What a request is for, as it is counted.
fn kind_of(route: &str) -> &'static str {
    match route.split('/').nth(1) {
        Some("api") => "rest",
        Some("scim") => "scim",
        Some("fn") => "form",
        Some("events") => "events",
        Some("pkg" | "fonts") => "file",
        _ => "page",
    }
}

fn count(kind: &'static str, status: StatusCode, took: Duration) {
    let status = match status.as_u16() / 100 {
        2 => "2xx",
        3 => "3xx",
        4 => "4xx",
        5 => "5xx",
        _ => "1xx",
    };
    metrics::histogram!("concord_request_seconds", "for" => kind, "status" => status).record(took);
}
