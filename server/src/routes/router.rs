//! The router, built from the tables of routes, with the layers that every request passes.

use std::sync::Arc;

use app::context::ApiDescription;
use axum::{
    Extension, Router,
    extract::Request,
    middleware::{Next, from_fn, from_fn_with_state},
    routing::{MethodRouter, any, get, post},
};
use domain::{Code, Error};
use tower_http::{CompressionLevel, catch_panic::CatchPanicLayer, compression::CompressionLayer};

use super::{FUNCTIONS, JSON_FUNCTIONS, MOVED, PAGES, Route, Weight, list, moved::lead_on};
use crate::{
    Site,
    files::load_top_file,
    middleware::{
        access::{
            client::find_client, csrf::refuse_forged, gate, host::refuse_foreign,
            session::find_actor,
        },
        etag::tag,
        headers::protect,
        idempotency::carry_out_once,
        limits::{busy::count_refused, caps::follow_few, limited, rate_limit::limit_rate},
        nul::refuse_nul,
        panics,
        trace::trace,
    },
    pages,
    rest::{DESCRIPTION, account::scim::refuse_in_its_words},
    site::problem::Problem,
};

/// Answers all requests to the site.
///
/// From the outside in, a request passes: where it comes from, its number, its line in the log
/// and its name in what holds connections, what is said when nobody has time, the security headers with the nonce of this answer, the net
/// under panics, the names that the site goes by; then, unless it is for what is the same for
/// everybody, compression (not of streams), the check against forged requests, the session, the search for a NUL; then,
/// by its route, the
/// limits of time and size, the gate that keeps out whoever may not do what is asked, and what is
/// peculiar to the REST interface.
pub fn router(site: Arc<Site>) -> Router {
    let (mut files, mut streams, mut answers) = (Router::new(), Router::new(), Router::new());
    let mut directories = Router::new();
    for route in list() {
        let handler = if route.is_rest() { of_rest(&site, route) } else { route.handler() };
        let handler = if route.is_scim() {
            handler.layer(from_fn_with_state(Arc::clone(&site), limit_rate))
        } else {
            handler
        };
        let handler = match route.weight {
            Weight::Stream => handler.layer(from_fn_with_state(Arc::clone(&site), follow_few)),
            _ => handler,
        };
        let handler = gate::for_programs(&site, handler, (&route.path, route.action));
        let handler = limited(&site, handler, route.weight);
        match route.weight {
            Weight::File => files = files.route(&route.path, handler),
            Weight::Stream => streams = streams.route(&route.path, handler),
            _ if route.is_scim() => directories = directories.route(&route.path, handler),
            _ => answers = answers.route(&route.path, handler),
        }
    }
    for row in MOVED {
        files = files.route(row.0, limited(&site, lead_on(*row), Weight::File));
    }
    for (path, _) in server_fn::axum::server_fn_paths() {
        if let Some((_, action, weight)) = FUNCTIONS.iter().find(|(row, ..)| *row == path) {
            let handler = gate::for_functions(&site, post(pages::call_function), *action);
            answers = answers.route(path, limited(&site, handler, *weight));
        }
    }
    for path in pages::list() {
        if let Some(page) = PAGES.iter().find(|page| page.path == path) {
            let handler = get(|site, request| pages::load_page(site, request, page.kind));
            answers = answers.route(path, limited(&site, handler, Weight::Light));
        }
    }
    let streams = streams.method_not_allowed_fallback(refuse_method);
    // What there is not, such as `/Me` and `/Bulk`, is refused in their words, too.
    let directories = directories
        .route("/scim/v2/{*other}", any(refuse_path))
        .method_not_allowed_fallback(refuse_method);
    let answers = answers.fallback(pages::load_other).method_not_allowed_fallback(refuse_method);
    let for_somebody = |router: Router<Arc<Site>>| {
        router
            .layer(from_fn(|request: Request, next: Next| {
                refuse_nul(JSON_FUNCTIONS, request, next)
            }))
            .layer(from_fn_with_state(Arc::clone(&site), find_actor))
            .layer(from_fn_with_state(Arc::clone(&site), refuse_forged))
            .layer(from_fn_with_state(Arc::clone(&site), load_top_file))
    };
    // One page shows the description of the REST interface.
    let answers = answers.layer(Extension(ApiDescription(&DESCRIPTION)));
    // Pages are made anew for each reader: what a better compression saves on the wire takes
    // longer to find than to send.
    let compression = CompressionLayer::new().quality(CompressionLevel::Fastest);
    Router::new()
        .merge(files)
        // Events are sent one by one, and there are many streams: none keeps a compressor.
        .merge(for_somebody(streams))
        .merge(for_somebody(directories).layer(from_fn(refuse_in_its_words)))
        .merge(for_somebody(answers).layer(compression))
        .layer(from_fn_with_state(Arc::clone(&site), refuse_foreign))
        .layer(CatchPanicLayer::custom(panics::answer))
        .layer(from_fn_with_state(Arc::clone(&site), protect))
        .layer(from_fn_with_state(Arc::clone(&site), count_refused))
        .layer(from_fn_with_state(Arc::clone(&site), trace))
        .layer(from_fn_with_state(Arc::clone(&site), find_client))
        .with_state(site)
}

/// A route of the REST interface: its callers have an allowance, what they have already is not sent
/// again, and a command with a key is carried out once.
fn of_rest(site: &Arc<Site>, route: &Route) -> MethodRouter<Arc<Site>> {
    // Comparing files stores nothing, and the files are more than is read twice.
    let handler = match route.weight {
        Weight::Compare => route.handler(),
        _ => route.handler().layer(from_fn_with_state(Arc::clone(site), carry_out_once)),
    };
    handler.layer(from_fn(tag)).layer(from_fn_with_state(Arc::clone(site), limit_rate))
}

async fn refuse_path() -> Problem {
    Error::NotFound.into()
}

async fn refuse_method() -> Problem {
    Problem::of_request(Code::MethodNotAllowed, "this cannot be done here")
}
