//! The files of the front end, by the paths that browsers ask for.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use domain::Error;
use http::{HeaderMap, Method};

use crate::{
    Site,
    rest::base::extract::Path,
    site::{assets::Keep, problem::Problem},
};

/// A file of the package. Its name changes with its content, so browsers keep it for good.
pub(crate) async fn load_package_file(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let file = site.assets.load(&format!("pkg/{name}"), Keep::Forever, &headers);
    file.ok_or_else(|| Error::NotFound.into())
}

/// Answers with a file at the top of the folder, if the request is for one, before anything is asked
/// about whoever makes it.
pub(crate) async fn load_top_file(
    State(site): State<Arc<Site>>,
    request: Request,
    next: Next,
) -> Response {
    if matches!(*request.method(), Method::GET | Method::HEAD)
        && let Some(file) = site.assets.load_top(request.uri().path(), request.headers())
    {
        return file;
    }
    next.run(request).await
}
