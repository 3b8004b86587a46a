//! How large a request may be and how long its answer may take, by the weight of its route.

mod bodies;
pub(crate) mod busy;
pub(crate) mod caps;
pub(crate) mod rate_limit;

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{DefaultBodyLimit, Request},
    middleware::{Next, from_fn},
    response::{IntoResponse, Response},
    routing::MethodRouter,
};
use domain::Code;
use services::document::{comparison::MAX_COMPARED_BYTES, import::MAX_UPLOAD_BYTES};
use tower_http::limit::RequestBodyLimitLayer;

use self::bodies::{Patience, watch};
use crate::{
    Site,
    site::{in_flight::Progress, problem::Problem, route::Weight},
};

const MIB: usize = 1024 * 1024;

/// More than any form of ours has.
const LIGHT: usize = 960 * 1024;

/// Applies the limits of `weight` to a route.
pub(crate) fn limited(
    site: &Arc<Site>,
    handler: MethodRouter<Arc<Site>>,
    weight: Weight,
) -> MethodRouter<Arc<Site>> {
    let bytes = bytes_of(weight);
    let (site, of_body) = (Arc::clone(site), (weight, Patience::of(time_of_body(weight))));
    let watching = from_fn(move |request: Request, next| {
        if may_be_late(weight)
            && let Some(progress) = request.extensions().get::<Progress>()
        {
            progress.take_long();
        }
        watch(Arc::clone(&site), request, next, of_body)
    });
    let handler: MethodRouter<_> = handler.layer(watching);
    // The first is asked by whoever reads the body, the second refuses by what is announced.
    let handler: MethodRouter<_> = handler.layer(DefaultBodyLimit::max(bytes));
    let handler: MethodRouter<_> = handler.layer(RequestBodyLimitLayer::new(bytes));
    match time_of(weight) {
        Some(time) => handler.layer(from_fn(move |request, next| within(time, request, next))),
        None => handler,
    }
}

const fn bytes_of(weight: Weight) -> usize {
    match weight {
        Weight::File | Weight::Light | Weight::Export | Weight::Stream => LIGHT,
        Weight::Save => 16 * MIB,
        Weight::Compare => MAX_COMPARED_BYTES + MIB,
        // The files themselves, and what is written around them.
        Weight::Import => MAX_UPLOAD_BYTES + MIB,
    }
}

/// Whether an answer may take longer than others: uploads, exports and streams do.
const fn may_be_late(weight: Weight) -> bool {
    matches!(weight, Weight::Export | Weight::Compare | Weight::Import | Weight::Stream)
}

/// None where the client decides how long it takes, by its line or by staying.
const fn time_of(weight: Weight) -> Option<Duration> {
    match weight {
        Weight::File | Weight::Light | Weight::Save => Some(Duration::from_secs(30)),
        Weight::Export => Some(Duration::from_mins(5)),
        // What it takes to send, and then to wait for a turn.
        Weight::Compare => Some(Duration::from_mins(18)),
        Weight::Import | Weight::Stream => None,
    }
}

/// How long somebody may be waited for who sends something.
const fn time_of_body(weight: Weight) -> Duration {
    match weight {
        Weight::File | Weight::Light | Weight::Save | Weight::Export | Weight::Stream => {
            Duration::from_secs(30)
        }
        Weight::Compare => Duration::from_mins(15),
        Weight::Import => Duration::from_hours(1),
    }
}

/// Gives up on an answer that takes too long. A save that has begun goes on to its end.
async fn within(time: Duration, request: Request, next: Next) -> Response {
    tokio::time::timeout(time, next.run(request)).await.unwrap_or_else(|_| {
        let detail = "this took too long; it may still be completed";
        Problem::of_request(Code::TookTooLong, detail).into_response()
    })
}

#[cfg(test)]
mod tests {
    use axum::{Router, body::Body, routing::get};
    use http::{Request, StatusCode};
    use tower::ServiceExt;

    use super::*;

    async fn answer(time: Duration, handler: MethodRouter) -> StatusCode {
        let limit = from_fn(move |request, next| within(time, request, next));
        let router = Router::new().route("/", handler.layer(limit));
        let request = Request::get("/").body(Body::empty()).unwrap();
        router.oneshot(request).await.unwrap().status()
    }

    #[tokio::test]
    async fn an_answer_that_takes_too_long_is_given_up() {
        let never = get(std::future::pending::<()>);
        assert_eq!(answer(Duration::ZERO, never).await, StatusCode::SERVICE_UNAVAILABLE);
        let at_once = get(async || "here");
        assert_eq!(answer(Duration::from_hours(1), at_once).await, StatusCode::OK);
    }

    #[test]
    fn uploads_and_streams_take_as_long_as_they_take() {
        assert_eq!(time_of(Weight::Import), None);
        assert_eq!(time_of(Weight::Stream), None);
        assert!(bytes_of(Weight::Light) < 1_000_000);
        assert_eq!(bytes_of(Weight::Save), 16 * 1024 * 1024);
    }
}
