//! Finds out who is asking, once for each request. Nothing else makes an [`Actor`].

use std::sync::Arc;

use app::context::SessionToken;
use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::Actor;
use http::{HeaderMap, header::COOKIE};

use crate::{Site, problem::Problem};

/// Puts the services, the form of the session cookie, the session's token and who is asking into
/// the request.
pub(crate) async fn find_actor(
    State(site): State<Arc<Site>>,
    mut request: Request,
    next: Next,
) -> Response {
    let token = token(request.headers(), site.cookie.name).map(str::to_owned);
    let actor = match &token {
        None => Actor::Anonymous,
        Some(token) => match services::accounts::actor_of(&site.services, token).await {
            Ok(actor) => actor,
            Err(error) => return Problem::from(error).into_response(),
        },
    };
    let extensions = request.extensions_mut();
    extensions.insert(Arc::clone(&site.services));
    extensions.insert(site.cookie.clone());
    extensions.insert(actor);
    if let Some(token) = token {
        extensions.insert(SessionToken(token));
    }
    next.run(request).await
}

/// The value of the cookie with this name.
fn token<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|cookies| cookies.to_str().ok())
        .flat_map(|cookies| cookies.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='))
        .find(|(found, _)| *found == name)
        .map(|(_, value)| value)
        .filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_found_by_its_whole_name_only() {
        let mut headers = HeaderMap::new();
        headers.append(COOKIE, "theme=dark; xconcord=a;concord=b".parse().unwrap());
        headers.append(COOKIE, "__Host-concord=c".parse().unwrap());
        assert_eq!(token(&headers, "concord"), Some("b"));
        assert_eq!(token(&headers, "__Host-concord"), Some("c"));
        assert_eq!(token(&headers, "cord"), None);
    }

    #[test]
    fn an_empty_cookie_is_none() {
        let mut headers = HeaderMap::new();
        headers.append(COOKIE, "concord=".parse().unwrap());
        assert_eq!(token(&headers, "concord"), None);
    }
}
