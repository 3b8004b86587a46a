//! How fast programs may ask: each token, and each person with their sessions, by themselves. Every
//! answer says in its headers how much is left.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::{Actor, Code};
use http::{HeaderValue, header::RETRY_AFTER};

use crate::{
    Site,
    site::{limits::rate_limit::Caller, problem::Problem},
};

/// Answers, or says when to come back.
pub(crate) async fn limit_rate(
    State(site): State<Arc<Site>>,
    request: Request,
    next: Next,
) -> Response {
    let caller = match request.extensions().get::<Actor>() {
        Some(Actor::Person(user)) => Caller::Person(user.id),
        Some(Actor::Token(_, grant)) => Caller::Token(grant.token),
        Some(Actor::Directory(directory)) => Caller::Directory(directory.id),
        // Whoever is nobody gets nothing that is worth counting.
        Some(Actor::Anonymous) | None => return next.run(request).await,
    };
    let (mut response, remaining) = match site.rate_limit.count(caller) {
        Ok(remaining) => (next.run(request).await, remaining),
        Err(wait) => {
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            let why = format!("too many requests; try again in {seconds} seconds");
            let problem = Problem::of_request(Code::TooManyRequests, why);
            (([(RETRY_AFTER, HeaderValue::from(seconds))], problem).into_response(), 0)
        }
    };
    response.headers_mut().extend(site.rate_limit.state(remaining));
    response
}
