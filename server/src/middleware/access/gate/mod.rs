//! Keeps people from everything that the policy table does not have for them, before their request
//! is read: strangers from what is for people with an account, and whoever may not do a thing with
//! what the request names from sending it. What else is permitted is decided in `services`, by the
//! same table.

mod named;

use std::sync::Arc;

use app::{ApiError, context::wants_html};
use axum::{
    body::{Body, HttpBody},
    extract::{Request, State},
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse, Redirect, Response},
    routing::MethodRouter,
};
use domain::{
    Actor, Error,
    base::policy::{Action, Standpoint, permits},
};
use http::{HeaderValue, StatusCode, header, request::Parts};
use server_fn::{error::FromServerFnError, response::Res};
use services::base::access::admission::{Place, admit, in_scope};

use crate::{Site, middleware::idempotency::IDEMPOTENCY_KEY, site::problem::Problem};

type Handler = MethodRouter<Arc<Site>>;

/// Guards a route for programs: from strangers, from tokens that are for something else, and from
/// whoever may not do it with what its address names.
pub(crate) fn for_programs(
    site: &Arc<Site>,
    handler: Handler,
    (path, action): (&'static str, Action),
) -> Handler {
    let guard = move |State(site): State<Arc<Site>>, request: Request, next: Next| async move {
        if is_stranger(&request, action) {
            return Problem::from(Error::SignInRequired).into_response();
        }
        let place = named::by_address(path, request.uri().path());
        let where_asked = place.clone().unwrap_or(Place::Site);
        if let Err(refusal) = in_scope(&site.services, actor(&request), action, where_asked) {
            return Problem::from(refusal).into_response();
        }
        // What brings nothing to be read is judged where it is carried out, unless it was carried out
        // before.
        let has_key = request.headers().contains_key(IDEMPOTENCY_KEY);
        if has_key || !request.body().is_end_stream() {
            let admitted = match place {
                Ok(place) => admit(&site.services, actor(&request), action, place).await,
                Err(refusal) => Err(refusal.into()),
            };
            if let Err(refusal) = admitted {
                return Problem::from(refusal).into_response();
            }
        }
        next.run(request).await
    };
    handler.layer(from_fn_with_state(Arc::clone(site), guard))
}

/// Guards a server function: a form of a browser without our front end is led to the sign-in
/// page, our front end is told in its own words. What a function is about stands at the beginning of
/// what it is sent: no more than that is read of anybody who may not do it.
pub(crate) fn for_functions(site: &Arc<Site>, handler: Handler, action: Action) -> Handler {
    let guard = move |State(site): State<Arc<Site>>, request: Request, next: Next| async move {
        if is_stranger(&request, action) {
            if wants_html(request.headers()) {
                return Redirect::to("/sign-in").into_response();
            }
            return refused_call(request.uri().path(), Error::SignInRequired);
        }
        let (parts, body) = request.into_parts();
        let body = match begun(&site, &parts, body, action).await {
            Ok(body) => body,
            Err(refusal) => return refused_call(parts.uri.path(), refusal),
        };
        next.run(Request::from_parts(parts, body)).await
    };
    handler.layer(from_fn_with_state(Arc::clone(site), guard))
}

/// What a function is sent, if whoever sends it may do what it is for.
async fn begun(site: &Site, parts: &Parts, body: Body, action: Action) -> Result<Body, Error> {
    let is_about_a_project =
        !matches!(action, Action::VisitPublic | Action::VisitOwn | Action::CreateProject);
    let actor = parts.extensions.get::<Actor>().unwrap_or(&Actor::Anonymous);
    if !is_about_a_project {
        admit(&site.services, actor, action, Place::Site).await?;
        return Ok(body);
    }
    let (beginning, body) = named::beginning(body).await;
    // A short one is judged where it is carried out.
    if let Some(beginning) = beginning {
        let place = named::by_beginning(&beginning)?;
        admit(&site.services, actor, action, place).await?;
    }
    Ok(body)
}

fn actor(request: &Request) -> &Actor {
    request.extensions().get::<Actor>().unwrap_or(&Actor::Anonymous)
}

fn is_stranger(request: &Request, action: Action) -> bool {
    permits(action, Standpoint::outside(actor(request))) == Err(Error::SignInRequired)
}

/// What a server function answers whoever is not let in.
pub(crate) fn refused_call(path: &str, refusal: Error) -> Response {
    let status = StatusCode::from_u16(refusal.status());
    let error = ApiError::App(refusal).ser();
    let mut response = <Response<Body> as Res>::error_response(path, error);
    *response.status_mut() = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let content_type = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, content_type);
    response
}
