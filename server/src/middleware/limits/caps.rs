//! How many there may be at the same time: connections of an address, streams of a session.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::{Actor, Code};
use http::{HeaderValue, header};

use crate::{
    Site,
    middleware::access::session::Credential,
    site::{held_body::held, problem::Problem},
};

/// What is said to an address that has too many connections.
pub(crate) fn too_many_connections() -> Response {
    too_many("too many connections from your address; close some")
}

fn too_many(why: &str) -> Response {
    let mut response = Problem::of_request(Code::TooMuchAtOnce, why).into_response();
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(10));
    response
}

/// Lets a session, or a program, follow so many streams at the same time and no more.
pub(crate) async fn follow_few(
    State(site): State<Arc<Site>>,
    request: Request,
    next: Next,
) -> Response {
    // Nobody follows without one.
    let Some(credential) = request.extensions().get::<Credential>() else {
        return next.run(request).await;
    };
    let key = credential.secret().to_owned();
    let is_person = request.extensions().get::<Actor>().is_some_and(|actor| actor.person().is_ok());
    if !is_person {
        return next.run(request).await;
    }
    let Some(entry) = site.streams.enter(key) else {
        return too_many("too many live pages are open; close some");
    };
    next.run(request).await.map(|body| held(body, entry))
}
