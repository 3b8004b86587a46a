//! What is said when more people ask than can be answered: come back, in so many seconds. And, for
//! whoever runs the server, what the connections are in use for.

use std::{sync::Arc, time::Instant};

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use http::{HeaderValue, StatusCode, header::RETRY_AFTER};

use crate::{Site, site::limits::busy::AsAsked};

/// When to come back. Reads are short, and who waited in vain has waited already.
const COME_BACK: HeaderValue = HeaderValue::from_static("1");

/// Says when to come back if what a request asks for could not be done now, and counts that.
pub(crate) async fn count_refused(
    State(site): State<Arc<Site>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = next.run(request).await;
    let is_as_asked = response.extensions().get::<AsAsked>().is_some();
    if response.status() == StatusCode::SERVICE_UNAVAILABLE && !is_as_asked {
        if site.busy.count(Instant::now()) {
            let (connections, refused) = (site.services.connections(), site.busy.refused());
            tracing::warn!(%connections, refused, "busy: somebody was asked to come back");
        }
        response.headers_mut().entry(RETRY_AFTER).or_insert(COME_BACK);
    }
    response
}
