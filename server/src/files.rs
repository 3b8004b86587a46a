//! The files of the front end and of the help, by the paths that browsers ask for.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{Redirect, Response},
};
use domain::Error;
use http::{HeaderMap, Method, StatusCode, header::IF_NONE_MATCH};

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

/// Leads to where the help begins: its links are relative to that.
pub(crate) async fn lead_to_help() -> Redirect {
    Redirect::permanent("/help/")
}

/// The first page of the help.
pub(crate) async fn load_help(
    state: State<Arc<Site>>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    load_help_file(state, Path("index.html".to_owned()), headers).await
}

/// A page of the help, or a file that its pages load. What it does not have is answered with a page of
/// its own, with its contents and its search.
pub(crate) async fn load_help_file(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    mut headers: HeaderMap,
) -> Result<Response, Problem> {
    if let Some(file) = site.assets.load(&format!("help/{name}"), Keep::AskEachTime, &headers) {
        return Ok(file);
    }
    headers.remove(IF_NONE_MATCH);
    let missing = site.assets.load("help/404.html", Keep::AskEachTime, &headers);
    let mut missing = missing.ok_or_else(|| Problem::from(Error::NotFound))?;
    *missing.status_mut() = StatusCode::NOT_FOUND;
    Ok(missing)
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
