//! Unsubscribing, by whoever holds the link of a mail: a person on its page, or a mail program with one click.

use std::sync::Arc;

use app::context::wants_html;
use axum::{
    extract::State,
    response::{IntoResponse, Redirect, Response},
};
use http::{HeaderMap, StatusCode};
use services::outside::mail;

use crate::{Site, rest::base::extract::Path, site::problem::Problem};

/// Sends no more mail of the link's kind. A browser is led back to the page, which says so; a mail program, which
/// follows no redirect, is told that it is done.
pub(crate) async fn unsubscribe(
    State(site): State<Arc<Site>>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    mail::unsubscribe(&site.services, &token).await?;
    Ok(if wants_html(&headers) {
        Redirect::to(&format!("/unsubscribe/{token}")).into_response()
    } else {
        StatusCode::NO_CONTENT.into_response()
    })
}
