//! Keeps strangers from everything that the policy table has for people with an account, before
//! their request is read. What else is permitted is decided in `services`, by the same table.

use std::sync::Arc;

use app::{ApiError, context::wants_html};
use axum::{
    body::Body,
    extract::Request,
    middleware::{Next, from_fn},
    response::{IntoResponse, Redirect, Response},
    routing::MethodRouter,
};
use domain::{
    Actor, Error,
    policy::{Action, Standpoint, permits},
};
use http::{HeaderValue, StatusCode, header};
use server_fn::{error::FromServerFnError, response::Res};

use crate::{Site, problem::Problem};

type Handler = MethodRouter<Arc<Site>>;

/// Guards a route for programs: from strangers, and from tokens that are for something else.
pub(crate) fn for_programs(handler: Handler, action: Action) -> Handler {
    handler.layer(from_fn(move |request: Request, next: Next| async move {
        if is_stranger(&request, action) {
            return Problem::from(Error::SignInRequired).into_response();
        }
        let actor = request.extensions().get::<Actor>().unwrap_or(&Actor::Anonymous);
        if let Err(refusal) = actor.within_scope(action) {
            return Problem::from(refusal).into_response();
        }
        next.run(request).await
    }))
}

/// Guards a server function: a form of a browser without our front end is led to the sign-in
/// page, our front end is told in its own words.
pub(crate) fn for_functions(handler: Handler, action: Action) -> Handler {
    handler.layer(from_fn(move |request: Request, next: Next| async move {
        if is_stranger(&request, action) {
            if wants_html(request.headers()) {
                return Redirect::to("/sign-in").into_response();
            }
            return refused_call(request.uri().path());
        }
        next.run(request).await
    }))
}

fn is_stranger(request: &Request, action: Action) -> bool {
    let actor = request.extensions().get::<Actor>().unwrap_or(&Actor::Anonymous);
    permits(action, Standpoint::outside(actor)) == Err(Error::SignInRequired)
}

/// What a server function answers when nobody is signed in.
fn refused_call(path: &str) -> Response {
    let error = ApiError::App(Error::SignInRequired).ser();
    let mut response = <Response<Body> as Res>::error_response(path, error);
    *response.status_mut() = StatusCode::UNAUTHORIZED;
    let content_type = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, content_type);
    response
}
