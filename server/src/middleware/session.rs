//! Finds out who is asking, once for each request. Nothing else makes an [`Actor`].

use std::sync::Arc;

use app::context::{SessionToken, SiteAddress, cookie};
use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::Actor;
use http::{header::HOST, uri::Authority};

use crate::{Site, problem::Problem};

/// Puts the services, the site's address, the form of the session cookie, the session's token and
/// who is asking into the request.
pub(crate) async fn find_actor(
    State(site): State<Arc<Site>>,
    mut request: Request,
    next: Next,
) -> Response {
    let token = cookie(request.headers(), site.cookie.name).map(str::to_owned);
    let actor = match &token {
        None => Actor::Anonymous,
        Some(token) => match services::accounts::actor_of(&site.services, token).await {
            Ok(actor) => actor,
            Err(error) => return Problem::from(error).into_response(),
        },
    };
    let address = SiteAddress(address(&site, &request));
    let extensions = request.extensions_mut();
    extensions.insert(address);
    extensions.insert(Arc::clone(&site.services));
    extensions.insert(site.cookie.clone());
    extensions.insert(actor);
    if let Some(token) = token {
        extensions.insert(SessionToken(token));
    }
    next.run(request).await
}

/// The address that this request reached the site at.
fn address(site: &Site, request: &Request) -> String {
    if let Some(url) = &site.public_url {
        return url.to_string();
    }
    let host = request
        .uri()
        .authority()
        .map(Authority::as_str)
        .or_else(|| request.headers().get(HOST).and_then(|host| host.to_str().ok()));
    format!("http://{}", host.unwrap_or("localhost"))
}
