//! The pages and server functions of `app`, in axum's terms.

pub(crate) mod live;
pub(crate) mod provider;
mod refusals;
pub(crate) mod table;

use std::sync::{Arc, LazyLock};

use app::{
    ApiError, App, PageKind,
    context::{SessionCookie, UnreadableForm, wants_html},
    shell, with_loads,
};
use axum::{
    body::{Body, to_bytes},
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use domain::Error;
use http::{
    Method, StatusCode,
    header::{LOCATION, SET_COOKIE},
    request::Parts,
};
use leptos::{
    nonce::Nonce,
    prelude::{Owner, provide_context},
};
use server_fn::error::FromServerFnError;

use crate::{Site, site::problem::Problem};

/// Made once for the process: while pages are listed, no page anywhere loads what it shows.
static LIST: LazyLock<Vec<String>> = LazyLock::new(|| {
    leptos_axum::generate_route_list(App).iter().map(|page| page.path().to_owned()).collect()
});

/// The paths of all pages of `app`, as axum writes them. Listing them also starts the executor
/// that renders them.
pub fn list() -> &'static [String] {
    &LIST
}

/// Renders a page in full: its status says what became of what it loads, and it can be read
/// without the front end.
pub(crate) async fn load_page(
    State(site): State<Arc<Site>>,
    request: Request,
    kind: PageKind,
) -> Response {
    load_told(site, request, kind, || ()).await
}

/// Renders a page that is told something; `tell` puts it into the page's context.
pub(crate) async fn load_told(
    site: Arc<Site>,
    mut request: Request,
    kind: PageKind,
    tell: impl Fn() + Clone + Send + Sync + 'static,
) -> Response {
    let taken = refusals::restore(&mut request);
    let nonce = request.extensions().get::<Nonce>().cloned();
    let front_end = site.assets.front_end();
    let mut response = with_loads(|loads| {
        let of_page = front_end.clone();
        let prepare = move || {
            tell();
            provide_context(loads.clone());
            provide_context(of_page.clone());
            // Leptos makes a nonce of its own, which this one replaces: it stands in the header.
            if let Some(nonce) = nonce.clone() {
                provide_context(nonce);
            }
            // Nothing of Leptos goes on in the browser from where the server has stopped.
            if let Some(shared) = Owner::current_shared_context() {
                shared.set_is_hydrating(false);
            }
        };
        let page = move || shell(&front_end, kind);
        leptos_axum::render_app_async_with_context(prepare, page)(request)
    })
    .await;
    if let Some(removed) = taken {
        response.headers_mut().append(SET_COOKIE, removed);
    }
    response
}

/// Answers what no route does: with "not found" in the form that whoever asks can read.
pub(crate) async fn load_other(state: State<Arc<Site>>, request: Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Problem::from(Error::NotFound).into_response();
    }
    if !wants_html(request.headers()) {
        return Problem::from(Error::NotFound).into_response();
    }
    let mut response = load_page(state, request, PageKind::Reading).await;
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

/// The most that a function says of why it was refused, in bytes.
const REFUSAL: usize = 16 * 1024;

/// Calls a server function.
pub(crate) async fn call_function(State(site): State<Arc<Site>>, request: Request) -> Response {
    let by_form = wants_html(request.headers());
    let session = request.extensions().get::<SessionCookie>().cloned();
    let (parts, body) = request.into_parts();
    let again = by_form.then(|| parts.clone());
    let request = Request::from_parts(parts, body);
    let mut response = leptos_axum::handle_server_fns(request).await.into_response();
    if response.status() == StatusCode::BAD_REQUEST
        && let Some(parts) = again
    {
        return load_unreadable(site, parts, response).await;
    }
    // A form without our front end is led back to its page, which shows what went wrong: the
    // status of a refusal would keep the browser from going there.
    if by_form && response.headers().contains_key(LOCATION) {
        *response.status_mut() = StatusCode::SEE_OTHER;
        if let Some(session) = session {
            refusals::leave(&mut response, &session);
        }
    }
    response
}

/// The page that says what of a form could not be read. Its own page would have nowhere to say it:
/// it does not send such a form.
async fn load_unreadable(site: Arc<Site>, mut parts: Parts, response: Response) -> Response {
    let refusal = to_bytes(response.into_body(), REFUSAL).await.unwrap_or_default();
    let why = UnreadableForm(ApiError::de(refusal).to_string());
    parts.method = Method::GET;
    let request = Request::from_parts(parts, Body::empty());
    let tell = move || provide_context(why.clone());
    let mut page = load_told(site, request, PageKind::Reading, tell).await;
    *page.status_mut() = StatusCode::BAD_REQUEST;
    page
}
